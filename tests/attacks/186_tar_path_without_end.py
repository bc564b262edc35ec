# KIND: archive
# TARGET: archive
# CLASS: hang
# EXPECT: REJECT
# MUST: a path of a million letters that have to be put in order, packed into a few kB, holds nobody up
import io
import tarfile

NAME = "up.tar.gz"


def build():
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", format=tarfile.PAX_FORMAT) as file:
        entry = tarfile.TarInfo("a" + "\u0301" * 500_000 + "\u0316" * 500_000 + "/a1_causal_mask.py")
        file.addfile(entry, io.BytesIO())
    return data.getvalue()
