import { concat, u32be } from '../../crypto/bytes.ts';
import { nativePbkdf2 } from '../../engine/native/kdfs.ts';
import { ARGON2ID_MIN, isAtMost, PASSWORD_SALT_BYTES } from '../../format/passphrase.ts';
import type { Argon2idCost, PassphraseKdf } from '../../format/passphrase.ts';

/** PBKDF2-HMAC-SHA-256 (RFC 8018 section 5.2), for machines on which Argon2id does not run. */
export interface Pbkdf2Cost {
  readonly iterations: number;
}

/** The cost of a passphrase, under either KDF. */
export type PassphraseCost = Argon2idCost | Pbkdf2Cost;

/**
 * Everything but the passphrase that its key depends on. Stored in clear beside what the key seals.
 */
export interface PassphraseParameters {
  readonly cost: PassphraseCost;
  /** 16 random bytes. */
  readonly salt: Uint8Array;
}

/** The byte for Argon2id: the type of its slots, and the KDF byte of backups. */
export const ARGON2ID = 1;
/** The byte for PBKDF2. */
export const PBKDF2 = 2;

/**
 * A stored value cannot ask for more: 256 MiB, t = 16 is the most that any version's calibration
 * could choose. Lanes are computed one after the other, so that their number costs no time.
 */
export const ARGON2ID_MAX: Argon2idCost = { memoryKiB: 262_144, passes: 16, parallelism: 16 };

/**
 * The most work that a calibration chooses, in KiB times passes: 2 GiB, which take two slow cores
 * less than 5 s (450 MiB times passes a second).
 */
export const CALIBRATED_WORK_MAX = 2 * 2 ** 20;

/** PBKDF2 rounds that take about as long as Argon2id takes for 1 KiB once. */
const ROUNDS_PER_KIB = 5;

/** OWASP Password Storage Cheat Sheet: 600,000; more than 10^7 are refused. */
export const PBKDF2_COST: Pbkdf2Cost = { iterations: 600_000 };
const PBKDF2_MAX_ITERATIONS = 10_000_000;

const ARGON2_VERSION = 0x13; // RFC 9106 section 3.1, "v"
const ARGON2ID_BYTES = 1 + 3 * 4 + PASSWORD_SALT_BYTES;
const PBKDF2_BYTES = 4 + PASSWORD_SALT_BYTES;

/** Whether the KDF of this cost is PBKDF2. */
export const isPbkdf2 = (cost: PassphraseCost): cost is Pbkdf2Cost => 'iterations' in cost;

/** The byte of the KDF. */
export const kdfOf = (cost: PassphraseCost): number => (isPbkdf2(cost) ? PBKDF2 : ARGON2ID);

/** Whether this cost is within the limits for writing and for reading. */
export function isAccepted(cost: PassphraseCost): boolean {
  if (isPbkdf2(cost)) {
    const { iterations } = cost;
    return iterations >= PBKDF2_COST.iterations && iterations <= PBKDF2_MAX_ITERATIONS;
  }
  return isAtMost(ARGON2ID_MIN, cost) && isAtMost(cost, ARGON2ID_MAX);
}

/**
 * The parameters as stored.
 * Argon2id: version u8 ‖ memory KiB u32 ‖ passes u32 ‖ parallelism u32 ‖ salt (16).
 * PBKDF2: iterations u32 ‖ salt (16).
 */
export function encodeParameters({ cost, salt }: PassphraseParameters): Uint8Array {
  if (isPbkdf2(cost)) return concat(u32be(cost.iterations), salt);
  const { memoryKiB, passes, parallelism } = cost;
  const numbers = [u32be(memoryKiB), u32be(passes), u32be(parallelism)];
  return concat(Uint8Array.of(ARGON2_VERSION), ...numbers, salt);
}

/** How much work a try takes, in KiB times passes; none where the parameters are not accepted. */
export function workOf(kdf: number, bytes: Uint8Array): number {
  const cost = parseParameters(kdf, bytes)?.cost;
  if (cost === undefined) return 0;
  return isPbkdf2(cost) ? cost.iterations / ROUNDS_PER_KIB : cost.memoryKiB * cost.passes;
}

/** Whether the parameters are well-formed, and ask for more work than is accepted. */
export function isTooCostly(kdf: number, bytes: Uint8Array): boolean {
  const cost = decodeParameters(kdf, bytes)?.cost;
  if (cost === undefined) return false;
  if (isPbkdf2(cost)) return cost.iterations > PBKDF2_MAX_ITERATIONS;
  return !isAtMost(cost, ARGON2ID_MAX);
}

/** The stored parameters; undefined for another KDF, and for a cost outside the limits. */
export function parseParameters(kdf: number, bytes: Uint8Array): PassphraseParameters | undefined {
  const parameters = decodeParameters(kdf, bytes);
  return parameters && isAccepted(parameters.cost) ? parameters : undefined;
}

function decodeParameters(kdf: number, bytes: Uint8Array): PassphraseParameters | undefined {
  return kdf === ARGON2ID ? parseArgon2id(bytes) : parsePbkdf2(kdf, bytes);
}

function parseArgon2id(bytes: Uint8Array): PassphraseParameters | undefined {
  if (bytes.length !== ARGON2ID_BYTES || bytes[0] !== ARGON2_VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const cost = {
    memoryKiB: view.getUint32(1),
    passes: view.getUint32(5),
    parallelism: view.getUint32(9),
  };
  return { cost, salt: bytes.slice(ARGON2ID_BYTES - PASSWORD_SALT_BYTES) };
}

function parsePbkdf2(kdf: number, bytes: Uint8Array): PassphraseParameters | undefined {
  if (kdf !== PBKDF2 || bytes.length !== PBKDF2_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    cost: { iterations: view.getUint32(0) },
    salt: bytes.slice(PBKDF2_BYTES - PASSWORD_SALT_BYTES),
  };
}

const KEY_BYTES = 32;

/**
 * The key that a prepared passphrase (passphrase.ts) gives under these parameters.
 *
 * @returns 32 bytes, which the caller wipes
 * @throws the platform's error where the KDF does not run, for example for lack of memory
 */
export async function passphraseKey(
  prepared: Uint8Array,
  { cost, salt }: PassphraseParameters,
  derive: PassphraseKdf,
): Promise<Uint8Array> {
  if (!isPbkdf2(cost)) return derive(prepared, salt, cost);
  const parameters = { hash: 'SHA-256', salt, iterations: cost.iterations } as const;
  return nativePbkdf2(prepared, parameters, KEY_BYTES);
}
