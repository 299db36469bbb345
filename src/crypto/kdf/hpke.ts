/**
 * HPKE's key derivation (RFC 9180): base mode, HKDF-SHA-256, one message per encapsulation. The KEM comes
 * from src/engine/kem, the AEAD from the caller.
 */
import { concat, u16be, utf8, wipe } from '../bytes.ts';
import { SHA256 } from '../hash/sha256.ts';
import { hkdfExpand, hkdfExtract } from './hkdf.ts';

/** RFC 9180, table 3. */
const HKDF_SHA256 = 0x0001;
/** Section 5, "mode_base". */
const MODE_BASE = 0x00;
/** Section 4.1: DHKEM(X25519, HKDF-SHA256) has Nsecret = 32. */
const SHARED_SECRET_BYTES = 32;

/** RFC 9180, table 2, and draft-connolly-cfrg-xwing-kem, section 5.8. */
export const DHKEM_X25519_ID = 0x0020;
/** KEM id of X-Wing (draft-connolly-cfrg-xwing-kem, section 5.8). */
export const X_WING_ID = 0x647a;

/** A row of RFC 9180, table 5. */
export interface HpkeAead {
  readonly id: number;
  /** Nk. */
  readonly keyBytes: number;
  /** Nn. */
  readonly nonceBytes: number;
}

/** AES-256-GCM in HPKE: id 0x0002 (RFC 9180, table 5). */
export const HPKE_AES_256_GCM: HpkeAead = { id: 0x0002, keyBytes: 32, nonceBytes: 12 };

/** Both are wiped by the caller. The nonce is that of sequence number 0, the only one used here. */
export interface HpkeKeys {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
}

/**
 * Section 5.1, KeySchedule in base mode, without psk and psk_id.
 *
 * @param kemId of the KEM registry, two bytes
 * @param sharedSecret the output of the KEM; any length
 * @param info the data that the message is bound to; any length
 */
export function hpkeKeys(
  kemId: number,
  aead: HpkeAead,
  sharedSecret: Uint8Array,
  info: Uint8Array,
): HpkeKeys {
  return scheduled(kemId, aead, sharedSecret, info, (expand) => ({
    key: expand('key', aead.keyBytes),
    nonce: expand('base_nonce', aead.nonceBytes),
  }));
}

/**
 * Section 5.3, Context.Export: a secret that both sides of one encapsulation have, beside the keys of its messages.
 *
 * @param exporterContext what the secret is for; any length
 * @returns `lengthBytes`, to be wiped
 */
export function hpkeExport(
  kemId: number,
  aead: HpkeAead,
  sharedSecret: Uint8Array,
  info: Uint8Array,
  exporterContext: Uint8Array,
  lengthBytes: number,
): Uint8Array {
  return scheduled(kemId, aead, sharedSecret, info, (expand, suiteId) => {
    const secret = expand('exp', SHA256.digestBytes);
    try {
      return labeledExpand(suiteId, secret, 'sec', exporterContext, lengthBytes);
    } finally {
      wipe(secret);
    }
  });
}

/** @param use derives from the secret of the schedule, which is wiped afterwards */
function scheduled<T>(
  kemId: number,
  aead: HpkeAead,
  sharedSecret: Uint8Array,
  info: Uint8Array,
  use: (expand: (label: string, lengthBytes: number) => Uint8Array, suiteId: Uint8Array) => T,
): T {
  const suiteId = concat(utf8('HPKE'), u16be(kemId), u16be(HKDF_SHA256), u16be(aead.id));
  const none = new Uint8Array(0);
  // key_schedule_context = concat(mode, psk_id_hash, info_hash)
  const context = concat(
    Uint8Array.of(MODE_BASE),
    // psk_id_hash = LabeledExtract("", "psk_id_hash", psk_id)
    labeledExtract(suiteId, none, 'psk_id_hash', none),
    // info_hash = LabeledExtract("", "info_hash", info)
    labeledExtract(suiteId, none, 'info_hash', info),
  );
  // secret = LabeledExtract(shared_secret, "secret", psk)
  const secret = labeledExtract(suiteId, sharedSecret, 'secret', none);
  try {
    return use(
      (label, lengthBytes) => labeledExpand(suiteId, secret, label, context, lengthBytes),
      suiteId,
    );
  } finally {
    wipe(secret);
  }
}

/**
 * Section 4.1, ExtractAndExpand of DHKEM(X25519, HKDF-SHA256).
 *
 * @param dh the Diffie-Hellman result, which the caller has checked not to be zero (section 7.1.4)
 * @param encapsulated enc: the ephemeral public key
 * @param publicKey pkRm: the recipient's
 * @returns 32 bytes, to be wiped
 */
export function dhkemX25519Secret(
  dh: Uint8Array,
  encapsulated: Uint8Array,
  publicKey: Uint8Array,
): Uint8Array {
  const suiteId = concat(utf8('KEM'), u16be(DHKEM_X25519_ID));
  const kemContext = concat(encapsulated, publicKey);
  // eae_prk = LabeledExtract("", "eae_prk", dh)
  const prk = labeledExtract(suiteId, new Uint8Array(0), 'eae_prk', dh);
  try {
    // shared_secret = LabeledExpand(eae_prk, "shared_secret", kem_context, Nsecret)
    return labeledExpand(suiteId, prk, 'shared_secret', kemContext, SHARED_SECRET_BYTES);
  } finally {
    wipe(prk);
  }
}

/** Section 4: Extract(salt, "HPKE-v1" ‖ suite_id ‖ label ‖ ikm) */
function labeledExtract(
  suiteId: Uint8Array,
  salt: Uint8Array,
  label: string,
  ikm: Uint8Array,
): Uint8Array {
  const labeled = concat(utf8('HPKE-v1'), suiteId, utf8(label), ikm);
  const prk = hkdfExtract(SHA256, salt, labeled);
  wipe(labeled);
  return prk;
}

/** Section 4: Expand(prk, I2OSP(L, 2) ‖ "HPKE-v1" ‖ suite_id ‖ label ‖ info, L) */
function labeledExpand(
  suiteId: Uint8Array,
  prk: Uint8Array,
  label: string,
  info: Uint8Array,
  lengthBytes: number,
): Uint8Array {
  const labeled = concat(u16be(lengthBytes), utf8('HPKE-v1'), suiteId, utf8(label), info);
  return hkdfExpand(SHA256, prk, labeled, lengthBytes);
}
