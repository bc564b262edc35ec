# KIND: source
# TARGET: recover_n_head
# CLASS: forge
# EXPECT: WRONG_VALUE
# MUST: what a submission sends in the place of the driver's words is one clean line of the report, and stops no grader
import sys

SAID = ["", "\x1b[2J\x1b]0;graded\x07finds 6 heads\r\n\u202e" * 50]


def recover_n_head(qkv_weight, out_weight, x, y):
    frame = sys._getframe()
    while "self" not in frame.f_locals or not hasattr(frame.f_locals["self"], "channel"):
        frame = frame.f_back
    answer = {"outcome": "returned", "parts": {"found": SAID[x.shape[1] % 2]}, "changed": [], "ready_made": []}
    frame.f_locals["self"].channel.send(answer)
    while True:
        frame.f_locals["self"].answer(frame.f_locals["self"].channel.receive())
