import unittest

import torch


class Cases(unittest.TestCase):
    def runTest(self):  # noqa: N802
        g = torch.Generator().manual_seed(42)
        x = torch.rand(1, 4, 6, generator=g)
        qkv, out = torch.rand(18, 6, generator=g) - 0.5, torch.rand(6, 6, generator=g) - 0.5
        q, k, v = (x @ qkv.T).view(4, 3, 3, 2).unbind(1)  # each (T, h, d)
        scores = torch.einsum("thd,shd->hts", q, k) / 2**0.5
        weights = scores.masked_fill(torch.ones(4, 4).triu(1).bool(), -1e9).softmax(-1)
        want = torch.einsum("hts,shd->thd", weights, v).reshape(4, 6) @ out.T
        for got, wanted in zip(self.mha(x, qkv, out, 3).flatten().tolist(), want.flatten().tolist(), strict=True):
            self.assertAlmostEqual(got, wanted, places=4)  # noqa: PT009


def check(mha):
    case = Cases()
    case.mha = mha
    case.runTest()
