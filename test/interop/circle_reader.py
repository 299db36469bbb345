"""A second reader of epochs, of the items of a medium, and of the file of a device, written from docs/design/devices.md and the layouts that it names.

Reads test/keys/vectors/circle.json from its input, opens everything with the secrets of the recovery code and the passkey,
and writes what it found as JSON. Any check that fails ends the program.
"""

import base64
import hashlib
import hmac
import json
import struct
import sys

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sealwright_reader import AuthFailed, expand, open_message, open_x_wing_entry
from sealwright_reader import unbase64url

KINDS = ["device", "code", "passkey"]
X_WING, WRAP, WRAPS = 1216, 1168, 8
CHARACTERS = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in '"\\<')
WORDS = (
    "id generation digest created key label standing guest use key-use sealing-key root salt derivation 1 swp1. "
    "contact name verified publicKey note tone archived newestSet set kept secret algorithm origin foreignId "
    "site-fields ref mark input textarea aria-label placeholder key-root appRoot pairwiseSecret persistent-key "
    "signing-key sharing-key sync-key age-key jose-key Ed25519 X25519 X-Wing default collections bundle 2 3"
).split(" ")
PREFIX = WORDS.index("swp1.")


class Bytes:
    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def take(self, length: int) -> bytes:
        assert self.at + length <= len(self.data)
        self.at += length
        return self.data[self.at - length:self.at]

    def u8(self) -> int:
        return self.take(1)[0]

    def u32(self) -> int:
        return struct.unpack(">I", self.take(4))[0]

    def u64(self) -> int:
        return struct.unpack(">Q", self.take(8))[0]

    def integer(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value


def pair_of(kind: str, secret: bytes) -> dict:
    key = hmac.digest(bytes(64), secret, hashlib.sha512)
    part = lambda name, length: expand(key, f"SWM1 circle {kind} {name}".encode(), length)
    return {"kind": kind, "id": part("id", 16), "xWing": part("X-Wing", 32), "ed25519": part("Ed25519", 32)}


def read_link(reader: Bytes) -> dict:
    start = reader.at
    assert reader.take(4) == b"SWE\1"
    link = {"number": reader.u32(), "parent": reader.take(32), "commitment": reader.take(32)}
    link |= {"keys": reader.take(32), "signer": reader.take(16), "members": []}
    for _ in range(reader.u8()):
        kind, identity, signing = KINDS[reader.u8() - 1], reader.take(16), reader.take(32)
        name = reader.take(reader.u8()).decode()
        link["members"].append({"kind": kind, "id": identity, "ed25519": signing, "name": name})
    link["signed"] = b"sealwright.org/epoch@v1\0" + reader.data[start:reader.at]
    link["signature"] = reader.take(64)
    link["digest"] = hashlib.sha256(reader.data[start:reader.at]).digest()
    return link


def read_epoch(data: bytes) -> dict:
    reader = Bytes(data)
    epoch = read_link(reader)
    keys = reader.data[reader.at:]
    assert hashlib.sha256(keys).digest() == epoch["keys"]
    assert len(keys) == X_WING * len(epoch["members"]) + WRAP * WRAPS
    wraps = keys[-WRAP * WRAPS:]
    epoch["wraps"] = [wraps[at:at + WRAP] for at in range(0, len(wraps), WRAP)]
    return epoch


def check_signature(epoch: dict, members: list) -> None:
    signer, = [member for member in members if member["id"] == epoch["signer"]]
    Ed25519PublicKey.from_public_bytes(signer["ed25519"]).verify(epoch["signature"], epoch["signed"])


def sync_key_of(epoch: dict, pair: dict) -> bytes:
    place = struct.pack(">I", epoch["number"]) + epoch["parent"]
    info = b"SWM1 circle sync key\0" + place + bytes([KINDS.index(pair["kind"]) + 1]) + pair["id"]
    found = []
    for wrap in epoch["wraps"]:
        try:
            found.append(open_x_wing_entry(pair["xWing"], wrap, info))
        except AuthFailed:
            pass
    key, = found
    assert expand(key, b"SWM1 circle commitment", 32) == epoch["commitment"]
    return key


def bytes_in(text: str, length: int) -> bytes:
    values = [91 * CHARACTERS.index(text[at]) + CHARACTERS.index(text[at + 1]) for at in range(0, len(text), 2)]
    bits = "".join(f"{value:013b}" for value in values)
    assert all(value < 2 ** 13 for value in values) and set(bits[8 * length:]) <= {"0"}
    return int(bits[:8 * length], 2).to_bytes(length, "big")


def read_box(text: str) -> dict:
    reader = Bytes(bytes_in(text, 4 + 4 + 64 + 4 * WRAP))
    assert reader.take(4) == b"SWB\1"
    box = {"number": reader.u32(), "parent": reader.take(32), "commitment": reader.take(32)}
    return box | {"wraps": [reader.take(WRAP) for _ in range(4)]}


class Entry:
    """An entry of the shared state, or bytes."""

    def __init__(self, reader: Bytes, devices: list):
        self.reader, self.devices, self.earlier = reader, devices, []
        self.name = self.text()
        kind = reader.u8()
        if kind == 2:
            self.value = reader.take(reader.integer())
            return
        self.value = {"incarnation": reader.integer()}
        vector = self.vector()
        if kind == 0:
            self.value["deleted"] = {"seen": vector, "at": reader.integer()}
            return
        assert kind == 1
        self.value |= {"version": vector, "facts": dict(self.fact() for _ in range(reader.integer()))}
        self.value["registers"] = {}
        for _ in range(reader.integer()):
            name = self.text()
            self.value["registers"][name] = [self.version(vector) for _ in range(reader.integer())]

    def vector(self) -> dict:
        read = self.reader.integer
        return {self.devices[read()]: read() for _ in range(read())}

    def version(self, of_entry: dict) -> dict:
        place = self.reader.integer()
        version = of_entry if place % 2 else self.vector()
        return {"by": self.devices[place // 2], "version": version, "value": self.json()}

    def fact(self) -> tuple:
        name, value = self.text(), self.json()
        words = name.split(" ")
        if words[0] == "generation" and len(words) == 2:
            digest = base64url(hashlib.sha256(unbase64url(value["key"])).digest()[:16])
            if digest not in self.earlier:
                self.earlier.append(digest)
            name += " " + digest
        return name, value

    def json(self):
        kind, read = self.reader.u8(), self.reader.integer
        if kind <= 2:
            return [None, False, True][kind]
        if kind == 3:
            return self.text()
        if kind == 4:
            return [self.json() for _ in range(read())]
        if kind == 5:
            return {self.text(): self.json() for _ in range(read())}
        return read() if kind == 6 else json.loads(self.text())

    def text(self) -> str:
        text = ""
        while True:
            tag = self.reader.integer()
            kind, payload = tag % 4, tag // 8
            text += self.token(kind, payload)
            if not tag & 4:
                return text
            text += "" if (kind, payload) == (2, PREFIX) else " "

    def token(self, kind: int, payload: int) -> str:
        if kind >= 2:
            return WORDS[payload] if kind == 2 else self.earlier[payload]
        if kind == 0:
            token = self.reader.take(payload).decode()
        else:
            token = base64url(self.reader.take([16, 32][payload] if payload < 2 else payload - 2))
        self.earlier.append(token)
        return token


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def read_item(reader: Bytes) -> tuple:
    start, after = reader.u64(), reader.u64()
    table = [(base64url(reader.take(16)), reader.u32()) for _ in range(reader.integer())]
    contents = [Entry(reader, [device for device, _ in table]) for _ in range(reader.integer())]
    assert not any(reader.data[reader.at:])
    for entry in contents:
        position = int.from_bytes(hashlib.sha256(entry.name.encode()).digest()[:6], "big")
        assert start <= position < after
    return start, after, {device: number for device, number in table if number}, contents


def read_items(items: dict, box: dict, sync_key: bytes) -> tuple:
    key, label, end = expand(sync_key, b"SWM1 circle item", 32), b"SWM1 circle item", 0
    place = struct.pack(">I", box["number"]) + box["parent"] + box["commitment"]
    entries, parts, seen = {}, {}, []
    for at in range(11):
        sealed = bytes_in(items[f"s{at + 2:02}"], 6651)
        reader = Bytes(open_message(sealed, key, "sync", context=label + bytes([0, at]) + place))
        start, after, said, contents = read_item(reader)
        assert start == end
        end = after
        seen.append(said)
        for entry in contents:
            (parts if isinstance(entry.value, bytes) else entries)[entry.name] = entry.value
    assert end == 2 ** 48 and all(said == seen[0] for said in seen)
    return {"seen": seen[0], "entries": entries}, parts


def read_file(data: bytes, pair: dict) -> dict:
    reader = Bytes(data)
    assert reader.take(4) == b"SWF\1"
    place = reader.data[reader.at:reader.at + 68]
    box = {"number": reader.u32(), "parent": reader.take(32), "commitment": reader.take(32)}
    sync_key = sync_key_of(box | {"wraps": [reader.take(WRAP) for _ in range(WRAPS)]}, pair)
    label = b"SWM1 circle file"
    sealed = reader.data[reader.at:]
    reader = Bytes(open_message(sealed, expand(sync_key, label, 32), "sync", context=label + b"\0" + place))
    member, device, generation = reader.take(16), reader.take(16), reader.u32()
    before = reader.take(32)
    read = {base64url(reader.take(16)): reader.u32() for _ in range(reader.integer())}
    start, after, seen, contents = read_item(Bytes(reader.data[reader.at:]))
    assert (start, after) == (0, 2 ** 48)
    name = hashlib.sha256(label + b" name\0" + device).digest()[:8].hex()
    return {
        "name": f"sealwright-{name}.device",
        "head": [member.hex(), base64url(device), generation, before.hex(), read],
        "state": {"seen": seen, "entries": {it.name: it.value for it in contents if not isinstance(it.value, bytes)}},
    }


def public_of(private: bytes) -> bytes:
    key = Ed25519PrivateKey.from_private_bytes(private).public_key()
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def main() -> None:
    vectors = json.load(sys.stdin)
    pairs = [pair_of(kind, bytes.fromhex(secret)) for kind, secret in vectors["secrets"].items()]
    first, second = [read_epoch(bytes.fromhex(epoch["bytes"])) for epoch in vectors["epochs"]]
    check_signature(first, first["members"])
    check_signature(second, first["members"])
    assert second["parent"] == first["digest"] and second["number"] == first["number"] + 1
    for pair in pairs:
        member, = [it for it in second["members"] if it["id"] == pair["id"]]
        assert member["ed25519"] == public_of(pair["ed25519"])
    keys = [sync_key_of(epoch, pairs[0]) for epoch in (first, second)]
    assert sync_key_of(second, pairs[1]) == keys[1]
    boxes = [read_box(vectors["items"][name]) for name in ("s00", "s01")]
    assert boxes[0]["wraps"] + boxes[1]["wraps"] == second["wraps"]
    state, parts = read_items(vectors["items"], boxes[0], keys[1])
    links = [read_link(Bytes(value)) for name, value in parts.items() if name.startswith("link ")]
    hexed = lambda pair: {name: it if name == "kind" else it.hex() for name, it in pair.items()}
    print(json.dumps({
        "pairs": [hexed(pair) for pair in pairs],
        "syncKeys": [key.hex() for key in keys],
        "digests": [epoch["digest"].hex() for epoch in (first, second)],
        "links": sorted(link["digest"].hex() for link in links),
        "members": sorted(name.split(" ")[1] for name in parts if name.startswith("member ")),
        "state": state,
        "file": read_file(bytes.fromhex(vectors["file"]["bytes"]), pairs[0]),
    }))


main()
