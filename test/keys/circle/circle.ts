import { concat } from '../../../src/crypto/bytes.ts';
import { loadX25519 } from '../../../src/engine/kem/x25519.ts';
import { signEd25519 } from '../../../src/engine/native/ed25519.ts';
import { NATIVE_CRYPTO } from '../../../src/format/native-crypto.ts';
import { allKems } from '../../../src/format/recipients/kems.ts';
import type { CircleParts } from '../../../src/keys/circle/changes.ts';
import {
  encodeEpoch,
  parseEpoch,
  signedBytes,
  statementOf,
} from '../../../src/keys/circle/epoch.ts';
import type { Epoch, Statement } from '../../../src/keys/circle/epoch.ts';
import { memberOf, newDevicePair } from '../../../src/keys/circle/members.ts';
import type { Member, MemberPair } from '../../../src/keys/circle/members.ts';
import { systemRandom } from '../../support/stores/memory-store.ts';

/** X-Wing as the extension has it. */
export const X_WING = allKems(loadX25519)['X-Wing'];

export const PARTS: CircleParts = { kem: X_WING, crypto: NATIVE_CRYPTO, random: systemRandom };

/** A member with its secrets. */
export interface Person {
  readonly pair: MemberPair;
  readonly member: Member;
}

/** A device with fresh pairs. */
export async function newDevice(name: string, random = systemRandom): Promise<Person> {
  const pair = newDevicePair(random);
  return { pair, member: await memberOf(pair, name, X_WING) };
}

/** An epoch with fields of choice, signed by these pairs whether or not they may. */
export async function signedBy(pair: MemberPair, fields: Statement): Promise<Epoch> {
  const statement = statementOf(fields);
  const signature = await signEd25519(pair.ed25519, signedBytes(statement));
  const keys = fields.members.map(({ xWing }) => xWing);
  return parseEpoch(concat(statement, signature, ...keys, ...fields.wraps));
}

/** An epoch that has gone through bytes. */
export const throughBytes = (epoch: Epoch): Epoch => parseEpoch(encodeEpoch(epoch));
