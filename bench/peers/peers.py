"""TARA and trajectory GRPO as one writes them in Python, timed on request.

A request is a line of JSON on stdin, its answer a line on stdout:

    {"load": "tara", "rewards": FILE, "answer": FILE, "shape": [G, K, T]}
    {"load": "grpo", "scores": FILE, "mask": FILE, "answer": FILE, "shape": [B, L], "group": 8}
    {"time": NAME, "threads": N}      -> {"ms": milliseconds a call}
    {"check": NAME}                   -> {"error": largest difference to the answer}

Conversions to each layout are made when data is loaded, not timed. Every function makes its temporaries afresh, as such
code does; those named "reused" write the result into memory that is there.
"""

import collections
import gc
import json
import sys
import time

import numpy as np
import torch

GAMMA, LAMBDA, EPSILON = 0.5, 0.5, 1e-6

work = {}
answers = {}


def numpy_normalize(x, axis):
    low = x.min(axis=axis, keepdims=True)
    high = x.max(axis=axis, keepdims=True)
    z = (x - x.mean(axis=axis, keepdims=True)) / (x.std(axis=axis, keepdims=True) + np.float32(EPSILON))
    return np.where(low == high, np.float32(0), z)


def numpy_tara(r, turns, rollouts):
    """r: any order of axes; turns and rollouts name two of them."""
    count = r.shape[turns]
    value = np.empty_like(r)
    rows = np.moveaxis(r, turns, 0)
    values = np.moveaxis(value, turns, 0)
    future = np.zeros_like(rows[0])
    for t in range(count - 1, -1, -1):
        np.multiply(rows[t], future, out=values[t])
        future = rows[t] + np.float32(GAMMA) * future
    return numpy_normalize(r, rollouts) + np.float32(LAMBDA) * numpy_normalize(value, rollouts)


def torch_normalize(x, dim):
    low, high = torch.aminmax(x, dim=dim, keepdim=True)
    std, mean = torch.std_mean(x, dim=dim, keepdim=True, correction=0)
    return torch.where(low == high, 0.0, (x - mean) / (std + EPSILON))


def torch_tara(r, turns, rollouts):
    value = torch.empty_like(r)
    future = torch.zeros_like(r.select(turns, 0))
    for t in range(r.shape[turns] - 1, -1, -1):
        reward = r.select(turns, t)
        torch.mul(reward, future, out=value.select(turns, t))
        future = reward + GAMMA * future
    return torch_normalize(r, rollouts) + LAMBDA * torch_normalize(value, rollouts)


def dict_tara(records):
    """records: (group, turn) -> {rollout: reward}, the last turn first."""
    future = collections.defaultdict(float)
    advantage = {}

    def normalize(column):
        values = list(column.values())
        if max(values) == min(values):
            return dict.fromkeys(column, 0.0)
        mean = sum(values) / len(values)
        std = (sum((x - mean) ** 2 for x in values) / len(values)) ** 0.5
        return {k: (x - mean) / (std + EPSILON) for k, x in column.items()}

    for (g, t), column in records.items():
        value = {}
        for k, r in column.items():
            value[k] = r * future[g, k]
            future[g, k] = r + GAMMA * future[g, k]
        local, ahead = normalize(column), normalize(value)
        for k in column:
            advantage[g, k, t] = local[k] + LAMBDA * ahead[k]
    return advantage


def load_tara(request):
    G, K, T = request["shape"]
    r = np.fromfile(request["rewards"], dtype=np.uint8).reshape(G, K, T).astype(np.float32)
    answer = np.fromfile(request["answer"], dtype=np.float64).reshape(G, K, T)
    orders = {"K innermost": (0, 2, 1), "groups innermost": (2, 1, 0)}
    for layout, order in orders.items():
        turned = np.ascontiguousarray(r.transpose(order))
        tensor = torch.from_numpy(turned.copy())
        turns, rollouts = order.index(2), order.index(1)
        expected = answer.transpose(order)
        work[f"numpy, {layout}"] = lambda x=turned, t=turns, k=rollouts: numpy_tara(x, t, k)
        work[f"torch, {layout}"] = lambda x=tensor, t=turns, k=rollouts: torch_tara(x, t, k)
        answers[f"numpy, {layout}"] = answers[f"torch, {layout}"] = expected
    if r.size > 200_000:
        return
    records = {
        (g, t): {k: float(r[g, k, t]) for k in range(K)} for g in range(G) for t in range(T - 1, -1, -1)
    }
    work["dict loop"] = lambda: dict_tara(records)
    answers["dict loop"] = {(g, k, t): answer[g, k, t] for g in range(G) for k in range(K) for t in range(T)}


def grpo_loop(rewards, mask, uids):
    """verl's formula, sample after sample: sums, lists by group, one scalar tensor at a time."""
    scores = rewards.sum(dim=-1)
    by_group = collections.defaultdict(list)
    for i, uid in enumerate(uids):
        by_group[uid].append(scores[i])
    stats = {}
    for uid, own in by_group.items():
        together = torch.stack(own)
        stats[uid] = (together.mean(), together.std()) if len(own) > 1 else (torch.tensor(0.0), torch.tensor(1.0))
    for i, uid in enumerate(uids):
        mean, std = stats[uid]
        scores[i] = (scores[i] - mean) / (std + EPSILON)
    return scores.unsqueeze(-1) * mask


def grpo_torch(rewards, mask, group, groups, out=None):
    scores = rewards.sum(dim=-1)
    count = torch.bincount(group, minlength=groups)
    mean = torch.zeros(groups).index_add_(0, group, scores) / count
    gap = scores - mean[group]
    std = (torch.zeros(groups).index_add_(0, group, gap * gap) / (count - 1)).sqrt()
    return torch.mul((gap / (std[group] + EPSILON)).unsqueeze(-1), mask, out=out)


def grpo_numpy(rewards, mask, group, groups, out=None):
    scores = rewards.sum(axis=-1)
    count = np.bincount(group, minlength=groups)
    mean = (np.bincount(group, weights=scores, minlength=groups) / count).astype(np.float32)
    gap = scores - mean[group]
    std = np.sqrt(np.bincount(group, weights=gap * gap, minlength=groups) / (count - 1)).astype(np.float32)
    return np.multiply((gap / (std[group] + np.float32(EPSILON)))[:, None], mask, out=out)


def load_grpo(request):
    """verl's mask is a slice of the attention mask, which is int64; a float32 mask is half the memory to read."""
    B, L = request["shape"]
    scores = np.fromfile(request["scores"], dtype=np.float32)
    mask = np.fromfile(request["mask"], dtype=np.uint8).reshape(B, L).astype(np.float32)
    answer = np.fromfile(request["answer"], dtype=np.float32).reshape(B, L)
    rewards = np.zeros((B, L), dtype=np.float32)
    rewards[:, -1] = scores
    group = np.arange(B) // request["group"]
    groups = B // request["group"]
    uids = [f"task-{g}" for g in group]
    t_rewards, t_group = (torch.from_numpy(x.copy()) for x in (rewards, group))
    masks = {"i64": torch.from_numpy(mask.astype(np.int64)), "f32": torch.from_numpy(mask.copy())}
    memory = np.zeros((B, L), dtype=np.float32)
    t_memory = torch.zeros(B, L)
    work["torch loop i64, fresh"] = lambda: grpo_loop(t_rewards, masks["i64"], uids)
    for kind, t_mask in masks.items():
        work[f"torch {kind}, fresh"] = lambda m=t_mask: grpo_torch(t_rewards, m, t_group, groups)
        work[f"torch {kind}, reused"] = lambda m=t_mask: grpo_torch(t_rewards, m, t_group, groups, t_memory)
    work["numpy f32, fresh"] = lambda: grpo_numpy(rewards, mask, group, groups)
    work["numpy f32, reused"] = lambda: grpo_numpy(rewards, mask, group, groups, memory)
    for name in work:
        answers[name] = answer


def largest_difference(found, expected):
    if isinstance(expected, dict):
        return max(abs(found[key] - value) for key, value in expected.items())
    return float(np.abs(np.asarray(found, dtype=np.float64) - expected).max())


def time_of(call, warm, least=0.005):
    """Milliseconds a call; repeated until the clock has something to see."""
    gc.collect()
    until = time.perf_counter() + warm
    while True:
        start = time.perf_counter()
        kept = call()
        once = time.perf_counter() - start
        if time.perf_counter() >= until:
            break
    repeat = max(1, min(10_000, int(np.ceil(least / max(once, 1e-7)))))
    start = time.perf_counter()
    for _ in range(repeat):
        kept = call()
    end = time.perf_counter()
    del kept
    return 1e3 * (end - start) / repeat


def answer_to(request):
    if "load" in request:
        work.clear()
        answers.clear()
        (load_tara if request["load"] == "tara" else load_grpo)(request)
        return {"names": list(work)}
    if "check" in request:
        return {"error": largest_difference(work[request["check"]](), answers[request["check"]])}
    torch.set_num_threads(request["threads"])
    return {"ms": time_of(work[request["time"]], request["warm"])}


print(json.dumps({"numpy": np.__version__, "torch": torch.__version__}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer_to(json.loads(line))), flush=True)
