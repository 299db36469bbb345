"""An independent reader of Sealwright messages, version 1, written from docs/format.md alone.

Python 3.11, the standard library, and AES-GCM, X25519, Ed25519, ML-KEM-768 and Argon2id from the `cryptography`
package (version 47 or later). As a program it answers JSON lines: {"id", "sealed" | "text", "key", "purpose",
"origin", "context", "identities"} with bytes in base64, identities as {"type", "key"}, gives {"id",
"bytes", "sha256", "info"} or {"id", "error"}. With "sender", a public key as {"type", "key"}, the answer
has "file", {"name", "type"} or null, "from": whether that key is proven to have sealed the message for the
identities, and "signed", {"publicKey", "valid"} or null. {"id", "proof"} has the text of a proof, and "message"
unless it is in the proof; the answer has "publicKey" and "valid". {"id", "group", "epochs", "trusted", "identity"} has
a group and its epochs as text; the answer is that of sealwright_groups.py.
{"id", "heads", "texts", "keys", "collection"} has heads and chunks of sync.md as
{"id", "payload"}, texts, and keys with the newest first; the answer has what each of "heads" says, and
"digests" of the texts.
"""

import base64
import hashlib
import hmac
import json
import re
import struct
import sys
import zlib
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

PURPOSES = {1: "page", 2: "field", 3: "stream", 4: "vault", 5: "backup", 6: "sync"}
SUITES = {  # number: (name, prefix of the HKDF info, chunk bytes)
    1: ("Cobblestone-256", b"c2sp.org/chunked-encryption@v1+", 16_384),
    2: ("Sealwright-1MiB", b"sealwright/chunked-1MiB@v1+", 1_048_576),
}
WEB_ALPHABET = "abcdefghjklmnopqrstuvwyz23456789"
HEADER, SALT, COMMITMENT, TAG = 24, 24, 32, 16
HEAD, CHUNK, DIGEST, ENTRY = 1, 2, 8, 24  # of sync.md, section 2.1
RECIPIENTS, ORIGIN_BOUND, PADDED = 1, 2, 4
X25519, X_WING, NAMED_KEY, PASSPHRASE, GROUP, ATTRIBUTES, TEST_TYPE = 1, 2, 3, 4, 5, 6, 255
TAGS, NAME, MEDIA_TYPE, SIGNATURE = 1, 2, 3, 4  # fields of attributes
ED25519 = 0x11
SMALL_ORDER = {  # y of the points of small order, without the sign of x, section 3.7
    y % 2**255 for y in (
        0, 1, 2**255 - 20, 2**255 - 19, 2**255 - 18,
        int.from_bytes(bytes.fromhex(
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"),
        int.from_bytes(bytes.fromhex(
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"),
    )
}


class BadEnvelope(Exception):
    """These bytes are no sealed message of version 1."""


class TooLarge(Exception):
    """A limit is passed."""


class AuthFailed(Exception):
    """Wrong key, wrong context or altered bytes: never told apart."""


class NeedsKey(Exception):
    """An epoch of a group is missing."""


class Envelope(NamedTuple):
    suite: int
    flags: int
    purpose: str
    key_id: bytes
    entries: list  # of (type, id, body)
    recipients: bytes
    salt: bytes
    commitment: bytes
    chunks: bytes
    body_bytes: int


def unarmor(text: str) -> bytes:
    word = re.sub(r"[ \t\r\n]+", "", text)
    return unarmor_web(word) if word[:4].lower() == "swt1" else unarmor_line(text)


def unarmor_web(word: str) -> bytes:
    if not re.fullmatch(f"swt1[{WEB_ALPHABET}]*0", word, re.ASCII | re.IGNORECASE):
        raise BadEnvelope
    digits = word[4:-1].lower()
    bits = "".join(f"{WEB_ALPHABET.index(digit):05b}" for digit in digits)
    size, unused = divmod(len(bits), 8)
    framed = int(bits[:8 * size] or "0", 2).to_bytes(size, "big")
    length = int.from_bytes(framed[:3], "big")
    if unused > 4 or "1" in bits[8 * size:] or size != 3 + length + 4:
        raise BadEnvelope
    if zlib.crc32(framed[:-4]) != int.from_bytes(framed[-4:], "big"):
        raise BadEnvelope
    return framed[3:-4]


def unarmor_line(text: str) -> bytes:
    if not re.fullmatch(r"sw1\.[A-Za-z0-9_-]*", text):
        raise BadEnvelope
    digits = text[4:]
    if len(digits) % 4 == 1:
        raise BadEnvelope
    sealed = base64.urlsafe_b64decode(digits + "=" * (-len(digits) % 4))
    if base64.urlsafe_b64encode(sealed).rstrip(b"=").decode() != digits:
        raise BadEnvelope
    return sealed


def parse(sealed: bytes) -> Envelope:
    if len(sealed) < HEADER or sealed[:4] != b"\xf5SWM":
        raise BadEnvelope
    version, suite, flags, purpose = sealed[4:8]
    if version != 1 or suite not in SUITES or flags > 7 or purpose not in PURPOSES:
        raise BadEnvelope
    recipients, rest = b"", sealed[HEADER:]
    if flags & RECIPIENTS:
        recipients, rest = split_recipients(rest)
    salt, rest = rest[:SALT], rest[SALT:]
    commitment, chunks = rest[:COMMITMENT], rest[COMMITMENT:]
    size = SUITES[suite][2]
    full, last = divmod(len(chunks), size + TAG)
    if len(commitment) < COMMITMENT or last < TAG:
        raise BadEnvelope
    return Envelope(suite, flags, PURPOSES[purpose], sealed[8:24], split_entries(recipients),
                    recipients, salt, commitment, chunks, full * size + last - TAG)


def split_recipients(rest: bytes) -> tuple:
    if len(rest) < 2:
        raise BadEnvelope
    (length,) = struct.unpack(">H", rest[:2])
    if length > 24_576:
        raise TooLarge
    if length == 0 or len(rest) < 2 + length:
        raise BadEnvelope
    return rest[2:2 + length], rest[2 + length:]


def split_entries(recipients: bytes) -> list:
    entries = []
    while recipients:
        if len(recipients) < 19:
            raise BadEnvelope
        kind, length = struct.unpack(">BH", recipients[:3])
        if length < 16 or len(recipients) < 3 + length:
            raise BadEnvelope
        if len(entries) == 16:
            raise TooLarge
        entries.append((kind, recipients[3:19], recipients[19:3 + length]))
        recipients = recipients[3 + length:]
    kinds = [kind for kind, _, _ in entries if kind != ATTRIBUTES]
    if PASSPHRASE in kinds and len(kinds) > 1:
        raise BadEnvelope
    return entries


def inspect(sealed: bytes) -> dict:
    envelope = parse(sealed)
    nobody = envelope.flags & RECIPIENTS and not any(envelope.key_id)
    key_id = base64.urlsafe_b64encode(envelope.key_id).rstrip(b"=").decode()
    padded = bool(envelope.flags & PADDED)
    return {
        "version": 1,
        "suite": SUITES[envelope.suite][0],
        "purpose": envelope.purpose,
        "headerKeyId": None if nobody else key_id,
        "recipients": sum(kind != ATTRIBUTES for kind, _, _ in envelope.entries),
        "plaintextBytes": None if padded else envelope.body_bytes,
        "originBound": bool(envelope.flags & ORIGIN_BOUND),
        "padded": padded,
    }


def expand(key: bytes, info: bytes, length: int) -> bytes:
    """HKDF-Expand with HMAC-SHA-512 (RFC 5869 section 2.3)."""
    output, block = b"", b""
    for i in range(-(-length // 64)):
        block = hmac.digest(key, block + info + bytes([i + 1]), hashlib.sha512)
        output += block
    return output[:length]


def open_chunks(input_key: bytes, suite: int, context: bytes, salt: bytes, commitment: bytes,
                chunks: bytes) -> bytes:
    """C2SP chunked encryption; every chunk is full but the last."""
    _, prefix, size = SUITES[suite]
    info = prefix + b"AEAD_AES_256_GCM\0" + salt + context
    derived = expand(input_key, info, 32 + 12 + 32)
    key, base_nonce = derived[:32], int.from_bytes(derived[32:44], "big")
    if not hmac.compare_digest(derived[44:], commitment):
        raise AuthFailed
    aead, message = AESGCM(key), []
    for number, at in enumerate(range(0, len(chunks) + 1, size + TAG)):
        nonce = (base_nonce ^ number).to_bytes(12, "big")
        try:
            message.append(aead.decrypt(nonce, chunks[at:at + size + TAG], b""))
        except InvalidTag:
            raise AuthFailed from None
    if len(message[-1]) >= size:
        raise AuthFailed
    return b"".join(message)


def open_message(sealed: bytes, key: bytes, purpose: str, origin: str = "", context: bytes = b"",
                 identities: list | None = None) -> bytes:
    envelope, header = parse(sealed), sealed[:HEADER]
    shared, bound = envelope.flags & RECIPIENTS, envelope.flags & ORIGIN_BOUND
    if envelope.purpose != purpose or (shared and identities is None) or (bound and not origin):
        raise AuthFailed
    if shared:
        input_key, _ = open_data_key(envelope, header, identities)
    else:
        purpose_byte = header[7]
        input_key = expand(key, b"SWM1 use" + bytes([purpose_byte, envelope.suite]), 32)
    full_context = message_context(header, envelope.recipients, origin if bound else "", context)
    body = open_chunks(input_key, envelope.suite, full_context, envelope.salt,
                       envelope.commitment, envelope.chunks)
    return without_padding(body) if envelope.flags & PADDED else body


def message_context(header: bytes, recipients: bytes, origin: str, context: bytes) -> bytes:
    origin_bytes = origin.encode("ascii")
    return b"".join([
        b"SWM1", header,
        struct.pack(">H", len(recipients)), recipients,
        struct.pack(">H", len(origin_bytes)), origin_bytes,
        struct.pack(">I", len(context)), context,
    ])


def open_data_key(envelope: Envelope, header: bytes, identities: list) -> tuple:
    """The data key of the first entry that one of the identities, (type, key), opens, and that one."""
    failure = AuthFailed
    for kind, entry_id, body in envelope.entries:
        context = b"SWM1 wrap" + header + bytes([kind]) + entry_id
        for identity in [key for of, key in identities if of == kind and kind in OPENERS]:
            try:
                return OPENERS[kind](identity, body, context), (kind, identity)
            except NeedsKey:
                failure = NeedsKey
            except AuthFailed:
                continue
    raise failure


def attributes_of(envelope: Envelope, header: bytes, data_key: bytes) -> dict:
    """The fields by their kind; none where they cannot be read (section 3.5)."""
    for kind, entry_id, body in envelope.entries:
        if kind != ATTRIBUTES:
            continue
        wrap_context = b"SWM1 wrap" + header + bytes([kind]) + entry_id
        derived = expand(data_key, b"SWM1 attributes" + wrap_context, 44)
        try:
            return fields_of(AESGCM(derived[:32]).decrypt(derived[32:], body, b""))
        except (InvalidTag, ValueError):
            return {}
    return {}


def fields_of(plain: bytes) -> dict:
    fields = {}
    while plain and plain[0] != 0:
        if len(plain) < 3:
            return {}
        kind, length = struct.unpack(">BH", plain[:3])
        if kind in fields or len(plain) < 3 + length:
            return {}
        fields[kind], plain = plain[3:3 + length], plain[3 + length:]
    signature = fields.get(SIGNATURE)
    if signature is not None and (not signature or signature[0] == ED25519 and len(signature) != 97):
        return {}
    name, media_type = fields.get(NAME, b""), fields.get(MEDIA_TYPE, b"")
    if len(name) > 765 or len(media_type) > 255 or len(fields.get(TAGS, b"")) % 32:
        return {}
    try:
        name.decode(), media_type.decode()
    except UnicodeDecodeError:
        return {}
    return fields


def digest_of(message: bytes, size: int) -> bytes:
    """SHA-256 of the digests of all chunks, the last of which is short and may be empty."""
    starts = range(0, len(message) // size * size + 1, size)
    digests = [hashlib.sha256(message[at:at + size]).digest() for at in starts]
    return hashlib.sha256(b"".join(digests)).digest()


def is_from(sealed: bytes, message: bytes, sender: tuple, identities: list, origin: str,
            context: bytes) -> bool:
    """Whether the message has the tag of this sender for one who opens it (section 3.6)."""
    envelope, header = parse(sealed), sealed[:HEADER]
    data_key, identity = open_data_key(envelope, header, identities)
    fields = attributes_of(envelope, header, data_key)
    tags, known = fields.get(TAGS, b""), static_of(identity, sender)
    signature = signature_of(fields)
    if known is None or not tags:
        return False
    bound = envelope.flags & ORIGIN_BOUND
    if signature and not is_signed(signature, signed_bytes(sealed, message, fields, origin, context)):
        return False
    before = b""
    for kind, entry_id, body in envelope.entries:
        if kind == ATTRIBUTES:
            break
        before += struct.pack(">BH", kind, 16 + len(body)) + entry_id + body
    secret, from_print, to_print = known
    info = hashlib.sha256(message_context(header, before, origin if bound else "", context)).digest()
    info += digest_of(message, SUITES[envelope.suite][2]) + from_print + to_print
    if signature:
        info += bytes([ED25519]) + signature[0]
    prk = hmac.digest(b"SWM1 sender", secret + data_key, hashlib.sha256)
    tag = hmac.digest(prk, info + b"\1", hashlib.sha256)
    return any(hmac.compare_digest(tag, tags[at:at + 32]) for at in range(0, len(tags), 32))


def signature_of(fields: dict) -> tuple | None:
    """Public key and signature (section 3.7)."""
    field = fields.get(SIGNATURE)
    return (field[1:33], field[33:]) if field and field[0] == ED25519 else None


def signed_bytes(sealed: bytes, message: bytes, fields: dict, origin: str, context: bytes) -> bytes:
    envelope = parse(sealed)
    return content_bytes(
        envelope.suite, envelope.purpose, origin if envelope.flags & ORIGIN_BOUND else "", context,
        fields.get(NAME, b""), fields.get(MEDIA_TYPE, b""), message)


def content_bytes(suite: int, purpose: str, origin: str, context: bytes, name: bytes,
                  media_type: bytes, message: bytes) -> bytes:
    number = next(number for number, text in PURPOSES.items() if text == purpose)
    return b"".join([
        b"sealwright.org/message-signature@v1\0", bytes([suite, number]),
        struct.pack(">H", len(origin)), origin.encode(),
        struct.pack(">I", len(context)), context,
        struct.pack(">H", len(name)), name,
        struct.pack(">H", len(media_type)), media_type,
        digest_of(message, SUITES[suite][2]),
    ])


def is_signed(signature: tuple, content: bytes) -> bool:
    public_key, made = signature
    points = [int.from_bytes(point[:32], "little") % 2**255 for point in (public_key, made)]
    if any(point in SMALL_ORDER for point in points):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(made, content)
        return True
    except (InvalidSignature, ValueError):
        return False


def answer_proof(request: dict) -> dict:
    """The signature in a proof, of the message that is given or that it holds (section 3.8)."""
    proof = json.loads(request["proof"])
    assert proof["format"] == "sealwright-proof/1"
    key = unbase64url(proof["publicKey"].removeprefix("swp1."))
    assert key[0] == ED25519
    given = request.get("message")
    message = proof["text"].encode() if given is None else base64.b64decode(given)
    content = content_bytes(
        proof["suite"], proof["purpose"], proof.get("origin", ""),
        unbase64url(proof.get("context", "")), proof.get("name", "").encode(),
        proof.get("type", "").encode(), message)
    signature = (key[1:], unbase64url(proof["signature"]))
    return {"id": request["id"], "publicKey": proof["publicKey"], "valid": is_signed(signature, content)}


def unbase64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def static_of(identity: tuple, sender: tuple) -> tuple | None:
    """What both have in common, and the fingerprints of sender and recipient."""
    (own_kind, own_key), (kind, public) = identity, sender
    if NAMED_KEY in (own_kind, kind):
        same = own_kind == kind and own_key == public
        return (expand(own_key, b"SWM1 sender", 32), bytes(32), bytes(32)) if same else None
    private = own_key if own_kind == X25519 else hashlib.shake_256(own_key).digest(96)[64:]
    curve = X25519PrivateKey.from_private_bytes(private)
    own_public = raw(curve.public_key()) if own_kind == X25519 else x_wing_public(own_key)
    secret = agree(curve, public[-32:])
    return secret, fingerprint(kind, public), fingerprint(own_kind, own_public)


def x_wing_public(seed: bytes) -> bytes:
    expanded = hashlib.shake_256(seed).digest(96)
    lattice = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
    curve = X25519PrivateKey.from_private_bytes(expanded[64:])
    return lattice.public_key().public_bytes_raw() + raw(curve.public_key())


def fingerprint(kind: int, public: bytes) -> bytes:
    return hashlib.sha256(b"SWM1 words" + bytes([kind]) + public).digest()


def open_test_entry(key: bytes, body: bytes, context: bytes) -> bytes:
    return open_chunks(key, 1, context, body[:24], body[24:56], body[56:])


def open_named_entry(key: bytes, body: bytes, context: bytes) -> bytes:
    if len(body) != 24 + 32 + 32 + TAG:
        raise AuthFailed
    return open_test_entry(expand(key, b"SWM1 wrap key", 32), body, context)


def open_passphrase_entry(passphrase: bytes, body: bytes, context: bytes) -> bytes:
    """Argon2id, RFC 9106, of the prepared passphrase; its cost is checked before any work."""
    if len(body) < 22:
        raise AuthFailed
    memory, passes, lanes = struct.unpack(">IBB", body[:6])
    if memory > 262_144 or passes > 8 or lanes > 16:
        raise TooLarge
    if memory < 19_456 or passes < 2 or lanes < 1:
        raise BadEnvelope
    kdf = Argon2id(salt=body[6:22], length=32, iterations=passes, lanes=lanes, memory_cost=memory)
    if len(body) != 22 + 24 + 32 + 32 + TAG:
        raise AuthFailed
    return open_test_entry(expand(kdf.derive(passphrase), b"SWM1 passphrase", 32), body[22:], context)


def open_group_entry(known: bytes, body: bytes, context: bytes) -> bytes:
    """`known`: group, epoch and key of the epoch, 32 bytes each, once or more."""
    epochs = {known[at:at + 64]: known[at + 64:at + 96] for at in range(0, len(known), 96)}
    names, sealed = body[:64], body[64:]
    if names not in epochs:
        raise NeedsKey
    if len(sealed) != 24 + 32 + 32 + TAG:
        raise AuthFailed
    return open_test_entry(expand(epochs[names], b"SWM1 group", 32), sealed, context + names)


def open_x25519_entry(key: bytes, body: bytes, context: bytes) -> bytes:
    """DHKEM(X25519, HKDF-SHA256), RFC 9180 section 4.1."""
    if len(body) != 32 + 32 + TAG:
        raise AuthFailed
    private, enc = X25519PrivateKey.from_private_bytes(key), body[:32]
    suite = b"KEM" + struct.pack(">H", 0x0020)
    prk = labeled_extract(suite, b"", b"eae_prk", agree(private, enc))
    kem_context = enc + raw(private.public_key())
    secret = labeled_expand(suite, prk, b"shared_secret", kem_context, 32)
    return open_hpke(0x0020, secret, body[32:], context)


def open_x_wing_entry(seed: bytes, body: bytes, context: bytes) -> bytes:
    """draft-connolly-cfrg-xwing-kem, sections 5.2 to 5.5."""
    if len(body) != 1120 + 32 + TAG:
        raise AuthFailed
    return open_hpke(0x647A, x_wing_secret(seed, body[:1120]), body[1120:], context)


def x_wing_secret(seed: bytes, enc: bytes) -> bytes:
    expanded = hashlib.shake_256(seed).digest(96)
    lattice = MLKEM768PrivateKey.from_seed_bytes(expanded[:64])
    curve = X25519PrivateKey.from_private_bytes(expanded[64:])
    ct_m, ct_x = enc[:1088], enc[1088:]
    ss_m, ss_x = lattice.decapsulate(ct_m), agree(curve, ct_x)
    label = bytes.fromhex("5c2e2f2f5e5c")
    return hashlib.sha3_256(ss_m + ss_x + ct_x + raw(curve.public_key()) + label).digest()


OPENERS = {
    X25519: open_x25519_entry,
    X_WING: open_x_wing_entry,
    NAMED_KEY: open_named_entry,
    PASSPHRASE: open_passphrase_entry,
    GROUP: open_group_entry,
    TEST_TYPE: open_test_entry,
}


def agree(private: X25519PrivateKey, public: bytes) -> bytes:
    try:
        return private.exchange(X25519PublicKey.from_public_bytes(public))
    except ValueError:  # a point of low order
        raise AuthFailed from None


def raw(public: X25519PublicKey) -> bytes:
    return public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def open_hpke(kem: int, secret: bytes, ciphertext: bytes, info: bytes) -> bytes:
    """RFC 9180 section 5.1, base mode, HKDF-SHA256, AES-256-GCM, sequence number 0."""
    suite, schedule, prk = hpke_schedule(kem, secret, info)
    key = labeled_expand(suite, prk, b"key", schedule, 32)
    nonce = labeled_expand(suite, prk, b"base_nonce", schedule, 12)
    try:
        return AESGCM(key).decrypt(nonce, ciphertext, b"")
    except InvalidTag:
        raise AuthFailed from None


def hpke_schedule(kem: int, secret: bytes, info: bytes) -> tuple:
    suite = b"HPKE" + struct.pack(">HHH", kem, 0x0001, 0x0002)
    schedule = b"\0" + labeled_extract(suite, b"", b"psk_id_hash", b"")
    schedule += labeled_extract(suite, b"", b"info_hash", info)
    return suite, schedule, labeled_extract(suite, secret, b"secret", b"")


def hpke_export(kem: int, secret: bytes, info: bytes, context: bytes, length: int) -> bytes:
    """RFC 9180 section 5.3."""
    suite, schedule, prk = hpke_schedule(kem, secret, info)
    exporter = labeled_expand(suite, prk, b"exp", schedule, 32)
    return labeled_expand(suite, exporter, b"sec", context, length)


def labeled_extract(suite: bytes, salt: bytes, label: bytes, ikm: bytes) -> bytes:
    return hmac.digest(salt, b"HPKE-v1" + suite + label + ikm, hashlib.sha256)


def labeled_expand(suite: bytes, prk: bytes, label: bytes, info: bytes, length: int) -> bytes:
    """All lengths here are at most 32: one block of HKDF-Expand."""
    labeled = struct.pack(">H", length) + b"HPKE-v1" + suite + label + info
    return hmac.digest(prk, labeled + b"\1", hashlib.sha256)[:length]


def padded_length(length: int) -> int:
    length += 1
    exponent = length.bit_length() - 1
    step = 2 ** max(0, exponent - exponent.bit_length())
    return max(32, -(-length // step) * step)


def without_padding(body: bytes) -> bytes:
    message = body.rstrip(b"\0")[:-1]
    if body.rstrip(b"\0")[-1:] != b"\x80" or padded_length(len(message)) != len(body):
        raise AuthFailed
    return message


def prefixed(text: str) -> bytes:
    return struct.pack(">H", len(text.encode())) + text.encode()


def digest_in(text: str, first_key: bytes, collection: str) -> str:
    """Of an id, a payload, a head or a chunk, under the key of the first generation."""
    key = expand(first_key, b"SWM1 sync digest" + prefixed(collection), 32)
    return hmac.digest(key, text.encode(), hashlib.sha256)[:DIGEST].hex()


def read_head(item: dict, keys: list, collection: str) -> dict:
    """A head or a chunk of sync.md, section 2.1."""
    sealed = unarmor_line(item["payload"])
    ids = {expand(key, b"SWM1 sync id" + prefixed(collection), 16): key for key in keys}
    context = b"SWM1 sync head" + prefixed(collection) + prefixed(item["id"])
    content = open_message(sealed, ids[parse(sealed).key_id], "sync", context=context)
    kind, count, before = struct.unpack(">BQB", content[:10])
    rest = content[10 + before * DIGEST:]
    known = {"count": count, "before": split_digests(content[10:10 + before * DIGEST])}
    if kind == HEAD:
        assert len(rest) == 2 + DIGEST * struct.unpack(">H", rest[:2])[0]
        return {**known, "chunks": split_digests(rest[2:])}
    assert kind == CHUNK and len(rest) % ENTRY == 0
    return {**known, "entries": [entry_of(rest[at:at + ENTRY]) for at in range(0, len(rest), ENTRY)]}


def entry_of(entry: bytes) -> dict:
    record = entry[8:16].hex() if any(entry[8:16]) else None
    return {"id": entry[:8].hex(), "record": record, "generation": struct.unpack(">Q", entry[16:])[0]}


def split_digests(digests: bytes) -> list:
    return [digests[at:at + DIGEST].hex() for at in range(0, len(digests), DIGEST)]


def read_device(text: bytes) -> tuple:
    """Time and name of the device of a message of section 15, and what follows them."""
    end = 9 + text[8]
    return int.from_bytes(text[:8], "big"), text[9:end].decode(), text[end:]


def answer_pairing(request: dict) -> dict:
    """Section 15: opens a parcel with the private key of its offer."""
    names = ("privateKey", "offer", "parcel")
    seed, offer, parcel = (bytes.fromhex(request["pairing"][name]) for name in names)
    start = "õSWD".encode("latin-1") + b"\1"
    offered, to, member = read_device(offer.removeprefix(start + b"\1"))
    rest = parcel.removeprefix(start + b"\2")
    given, sender, sealed = read_device(rest[32:])
    if len(member) != 16 + 32 + 1216 or rest[:32] != hashlib.sha256(offer).digest():
        return {"id": request["id"], "error": "BAD_ENVELOPE"}
    secret = x_wing_secret(seed, sealed[:1120])
    info = b"SWD1 parcel" + offer + parcel[:len(parcel) - len(sealed)]
    try:
        plain = without_padding(open_hpke(0x647A, secret, sealed[1120:], info))
    except AuthFailed:
        return {"id": request["id"], "error": "AUTH_FAILED"}
    size = int.from_bytes(plain[:4], "big")
    code = "SWD1:" + hashlib.sha256(b"SWD1 code\0" + offer).hexdigest().upper()
    exported = int.from_bytes(hpke_export(0x647A, secret, info, b"SWD1 digits", 16), "big")
    read = {"code": code, "to": to, "from": sender,
            "id": member[:16].hex(), "ed25519": member[16:48].hex(), "offered": offered,
            "given": given, "digits": f"{exported % 10**6:06}", "circle": plain[4:4 + size].hex(),
            "state": plain[4 + size:].decode()}
    return {"id": request["id"], "pairing": read}


def answer_heads(request: dict) -> dict:
    keys, collection = [bytes.fromhex(key) for key in request["keys"]], request["collection"]
    heads = [read_head(item, keys, collection) for item in request["heads"]]
    digests = [digest_in(text, keys[-1], collection) for text in request["texts"]]
    return {"id": request["id"], "heads": heads, "digests": digests}


CODES = {
    BadEnvelope: "BAD_ENVELOPE", TooLarge: "TOO_LARGE", AuthFailed: "AUTH_FAILED", NeedsKey: "NEEDS_KEY",
}


def answer_group(request: dict) -> dict:
    try:
        return {"id": request["id"], **groups.answer_group(request)}
    except tuple(CODES) as error:
        return {"id": request["id"], "error": CODES[type(error)]}


def answer(request: dict) -> dict:
    if "heads" in request:
        return answer_heads(request)
    if "pairing" in request:
        return answer_pairing(request)
    if "proof" in request:
        return answer_proof(request)
    if "epochs" in request:
        return answer_group(request)
    unbase64 = base64.b64decode
    identities = request.get("identities")
    identities = None if identities is None else [typed(one) for one in identities]
    origin, context = request.get("origin") or "", unbase64(request.get("context", ""))
    more = {}
    try:
        sealed = unarmor(request["text"]) if "text" in request else unbase64(request["sealed"])
        message = open_message(
            sealed, unbase64(request["key"]), request["purpose"], origin, context, identities)
        if "sender" in request:
            sender = typed(request["sender"])
            more["from"] = is_from(sealed, message, sender, identities, origin, context)
            more["file"] = file_of(sealed, identities)
            more["signed"] = signed_of(sealed, message, identities, origin, context)
    except tuple(CODES) as error:
        return {"id": request["id"], "error": CODES[type(error)]}
    digest = hashlib.sha256(message).hexdigest()
    known = {"bytes": len(message), "sha256": digest, "info": inspect(sealed)}
    return {"id": request["id"], **known, **more}


def typed(one: dict) -> tuple:
    return one["type"], base64.b64decode(one["key"])


def file_of(sealed: bytes, identities: list) -> dict | None:
    envelope, header = parse(sealed), sealed[:HEADER]
    data_key, _ = open_data_key(envelope, header, identities)
    fields = attributes_of(envelope, header, data_key)
    if not fields.get(NAME):
        return None
    return {"name": fields[NAME].decode(), "type": fields.get(MEDIA_TYPE, b"").decode()}


def signed_of(sealed: bytes, message: bytes, identities: list, origin: str,
              context: bytes) -> dict | None:
    envelope, header = parse(sealed), sealed[:HEADER]
    data_key, _ = open_data_key(envelope, header, identities)
    fields = attributes_of(envelope, header, data_key)
    signature = signature_of(fields)
    if signature is None:
        return None
    content = signed_bytes(sealed, message, fields, origin, context)
    return {"publicKey": signature[0].hex(), "valid": is_signed(signature, content)}


if __name__ == "__main__":
    sys.modules["sealwright_reader"] = sys.modules["__main__"]
    import sealwright_groups as groups

    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
