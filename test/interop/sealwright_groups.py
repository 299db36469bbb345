"""An independent reader of groups and their epochs, written from docs/format.md section 3.9 alone.

The reader of messages, sealwright_reader.py, gives what both need: its errors, and how X-Wing entries open.
"""

import base64
import hashlib
import re
import struct
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import sealwright_reader as reader

PUBLIC, WRAP, DIGEST = 1_216, 1_168, 32
MOST_BYTES, MOST_EPOCHS = 330_200, 1_024
COUNTS, VOID, UNDECIDED = "counts", "void", "undecided"


class Member(NamedTuple):
    public: bytes
    admin: bytes | None
    wrap: bytes


class Epoch(NamedTuple):
    number: int
    group: bytes
    parents: list
    commitment: bytes
    old_keys: list  # of (epoch, sealed key)
    members: list
    signer: bytes
    digest: bytes
    valid: bool  # its signature


class Node(NamedTuple):
    epoch: Epoch
    ancestors: frozenset  # digests
    added: frozenset  # of ("member", public) and ("admin", admin key, public)
    removed: frozenset


def text_bytes(prefix: str, text: str) -> bytes:
    if not re.fullmatch(re.escape(prefix) + "[A-Za-z0-9_-]*", text):
        raise reader.BadEnvelope
    digits = text[len(prefix):]
    if len(digits) % 4 == 1:
        raise reader.BadEnvelope
    data = base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
    if base64.urlsafe_b64encode(data).rstrip(b"=").decode() != digits:
        raise reader.BadEnvelope
    return data


def parse_group(text: str) -> bytes:
    data = text_bytes("swg1.", text)
    if len(data) != 33 or data[0] != 5:
        raise reader.BadEnvelope
    return data[1:]


def parse_epoch(text: str) -> Epoch:
    data = text_bytes("swge1.", text)
    if len(data) > MOST_BYTES:
        raise reader.TooLarge
    rest = data

    def take(length: int) -> bytes:
        nonlocal rest
        if len(rest) < length:
            raise reader.BadEnvelope
        part, rest = rest[:length], rest[length:]
        return part

    def items(most: int, item) -> list:
        count = take(1)[0]
        if count > most:
            raise reader.BadEnvelope
        return [item() for _ in range(count)]

    def member() -> Member:
        mark = take(1)[0]
        if mark > 1:
            raise reader.BadEnvelope
        public = take(PUBLIC)
        return Member(public, take(32) if mark else None, take(WRAP))

    if take(1) != b"\1":
        raise reader.BadEnvelope
    number, group = int.from_bytes(take(4), "big"), take(DIGEST)
    parents = items(8, lambda: take(DIGEST))
    commitment = take(32)
    old_keys = items(255, lambda: (take(DIGEST), take(48)))
    members = items(128, member)
    signer, signature = take(32), take(64)
    orders = [parents, [epoch for epoch, _ in old_keys], [one.public for one in members]]
    ordered = all(a < b for keys in orders for a, b in zip(keys, keys[1:]))
    admins = [one.admin for one in members if one.admin]
    ordered = ordered and len(set(admins)) == len(admins)
    first = number == 0
    if rest or not members or not ordered or first != (not parents) or first == any(group):
        raise reader.BadEnvelope
    content = hashlib.sha256(data[:-64]).digest()
    digest = hashlib.sha256(b"SWG1 epoch" + content + signature).digest()
    valid = reader.is_signed((signer, signature), b"sealwright.org/group-epoch@v1\0" + content)
    return Epoch(number, group, parents, commitment, old_keys, members, signer, digest, valid)


def entries_of(members: list) -> frozenset:
    plain = {("member", one.public) for one in members}
    return frozenset(plain | {("admin", one.admin, one.public) for one in members if one.admin})


def check(epochs: list, group: bytes, trusted: list) -> dict:
    """The epochs of a group by their digests, each after those that it follows."""
    nodes = {}
    for epoch in sorted({one.digest: one for one in epochs}.values(),
                        key=lambda one: (one.number, one.digest)):
        of = epoch.digest if epoch.number == 0 else epoch.group
        if of != group:
            raise reader.BadEnvelope
        node = node_of(epoch, group, nodes, trusted)
        if not epoch.valid:
            raise reader.BadEnvelope
        nodes[epoch.digest] = node
    if not nodes:
        raise reader.NeedsKey
    return nodes


def node_of(epoch: Epoch, group: bytes, nodes: dict, trusted: list) -> Node:
    now = entries_of(epoch.members)
    if not nodes:
        if epoch.digest != group and epoch.signer not in trusted:
            raise reader.NeedsKey
        if epoch.digest == group and epoch.signer not in {one.admin for one in epoch.members}:
            raise reader.BadEnvelope
        return Node(epoch, frozenset(), now, frozenset())
    if any(parent not in nodes for parent in epoch.parents):
        raise reader.NeedsKey
    parents = [nodes[parent] for parent in epoch.parents]
    if not parents or epoch.number != max(one.epoch.number for one in parents) + 1:
        raise reader.BadEnvelope
    above = frozenset().union(*(one.ancestors for one in parents))
    if above & set(epoch.parents):
        raise reader.BadEnvelope
    ancestors = above | set(epoch.parents)
    before = (entries_of(parents[0].epoch.members) if len(parents) == 1
              else resolved({digest: nodes[digest] for digest in ancestors}))
    if epoch.signer not in {entry[1] for entry in before if entry[0] == "admin"}:
        raise reader.BadEnvelope
    if len(parents) > 1 and now != before:
        raise reader.BadEnvelope
    return Node(epoch, ancestors, now - before, before - now)


def makes_admin(entries: frozenset, key: bytes) -> bool:
    return any(entry[0] == "admin" and entry[1] == key for entry in entries)


def standings(nodes: dict) -> dict:
    standing = {}

    def attackers(digest: bytes, node: Node) -> list:
        return [other for other, each in nodes.items()
                if other != digest and makes_admin(each.removed, node.epoch.signer)
                and digest not in each.ancestors and other not in node.ancestors]

    def decide(digest: bytes, node: Node) -> str | None:
        against = [standing.get(one) for one in attackers(digest, node)]
        makers = [standing.get(one) for one in node.ancestors
                  if makes_admin(nodes[one].added, node.epoch.signer)]
        first = not node.ancestors
        if COUNTS in against or (not first and all(one == VOID for one in makers)):
            return VOID
        supported = first or COUNTS in makers
        return COUNTS if supported and all(one == VOID for one in against) else None

    decided = True
    while decided:
        decided = False
        for digest, node in nodes.items():
            found = None if digest in standing else decide(digest, node)
            if found:
                standing[digest], decided = found, True
    return {digest: standing.get(digest, UNDECIDED) for digest in nodes}


def resolved(nodes: dict) -> frozenset:
    """Members and admins after all of these."""
    standing = standings(nodes)
    rivals = {nodes[one].epoch.signer for one, how in standing.items() if how == UNDECIDED}
    removals = []
    for digest, node in nodes.items():
        removed = node.removed if standing[digest] == COUNTS else frozenset()
        if standing[digest] == UNDECIDED:
            out = {entry[2] for entry in node.removed if entry[0] == "admin" and entry[1] in rivals}
            removed = {entry for entry in node.removed if entry[-1] in out}
        removals += [(entry, digest) for entry in removed]
    present = {
        entry for digest, node in nodes.items() if standing[digest] == COUNTS
        for entry in node.added
        if all(by in node.ancestors for of, by in removals if of == entry)
    }
    admins = {}  # by member: the lowest key, and no key twice
    for _, key, public in sorted(one for one in present if one[0] == "admin"):
        if ("member", public) in present and public not in admins and key not in admins.values():
            admins[public] = key
    plain = {one for one in present if one[0] == "member"}
    return frozenset(plain | {("admin", key, public) for public, key in admins.items()})


def newest(nodes: dict) -> list | None:
    """The digests of the epochs to seal to; None while senders wait."""
    standing = standings(nodes)
    live = {digest: node for digest, node in nodes.items() if standing[digest] != VOID}
    heads = {digest: node for digest, node in live.items()
             if not any(digest in each.ancestors for each in live.values())}
    wanted = {entry[1] for entry in resolved(nodes) if entry[0] == "member"}
    of = {digest: {one.public for one in node.epoch.members} for digest, node in heads.items()}
    whole = [digest for digest, publics in of.items() if publics == wanted]
    if whole:
        return [max(whole, key=lambda digest: (nodes[digest].epoch.number, digest))]
    joined = set().union(*of.values()) == wanted and len(heads) <= 8
    return sorted(heads) if joined else None


def place_bytes(epoch: Epoch) -> bytes:
    parents = hashlib.sha256(b"".join(epoch.parents)).digest()
    return epoch.group + struct.pack(">I", epoch.number) + parents


def keys_of(epoch: Epoch, seed: bytes) -> list:
    """The key of the epoch and the older ones in it, as (epoch, key); none for one who is no member."""
    public = reader.x_wing_public(seed)
    for member in epoch.members:
        if member.public != public:
            continue
        print_of = reader.fingerprint(reader.X_WING, public)
        context = b"SWG1 epoch key" + place_bytes(epoch) + print_of
        try:
            key = reader.open_x_wing_entry(seed, member.wrap, context)
        except reader.AuthFailed:
            return []
        commitment = reader.expand(key, b"SWG1 commitment" + place_bytes(epoch), 32)
        if commitment != epoch.commitment:
            return []
        keys = [(epoch.digest, key)]
        for old, sealed in epoch.old_keys:
            derived = reader.expand(key, b"SWG1 old key" + old, 44)
            try:
                keys.append((old, AESGCM(derived[:32]).decrypt(derived[32:], sealed, b"")))
            except InvalidTag:
                continue
        return keys
    return []


def answer_group(request: dict) -> dict:
    epochs = [parse_epoch(text) for text in request["epochs"]]
    group = epochs[0].digest if request["group"] is None else parse_group(request["group"])
    trusted = [bytes.fromhex(key) for key in request["trusted"]]
    nodes = check(epochs, group, trusted)
    seed = bytes.fromhex(request["identity"])
    keys = {}
    opened = [keys_of(node.epoch, seed) for node in nodes.values()]
    for epoch, key in [pairs[0] for pairs in opened if pairs] + [one for pairs in opened for one in pairs[1:]]:
        keys.setdefault(epoch, key)
    publics = [entry[1] for entry in resolved(nodes) if entry[0] == "member"]
    to = newest(nodes)
    return {
        "newest": None if to is None else [digest.hex() for digest in to],
        "members": sorted(reader.fingerprint(reader.X_WING, public).hex() for public in publics),
        "keys": {epoch.hex(): key.hex() for epoch, key in keys.items()},
    }
