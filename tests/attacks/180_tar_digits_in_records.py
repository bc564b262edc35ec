# KIND: archive
# TARGET: archive
# CLASS: upload
# EXPECT: REJECT
# MUST: an extended header of digits is refused at once; a pattern searched in it would take hours
import io
import tarfile

NAME = "up.tar"


def build():
    data, body = io.BytesIO(), b"1" * 3_000_000
    with tarfile.open(fileobj=data, mode="w") as archive:
        info = tarfile.TarInfo("x")
        info.type, info.size = tarfile.XHDTYPE, len(body)
        archive.addfile(info, io.BytesIO(body))
    return data.getvalue()
