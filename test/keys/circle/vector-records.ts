import { toBase64url } from '../../../src/crypto/bytes.ts';
import { publicKeyText } from '../../../src/format/wire/public-key.ts';
import { contactRecord } from '../../../src/keys/annotations/contact.ts';
import { detailsRecord } from '../../../src/keys/annotations/key-details.ts';
import { siteFieldsRecord } from '../../../src/keys/annotations/site-fields.ts';
import { APP, keyRootRecord, keyUseRecord } from '../../../src/keys/ring/key-records.ts';
import { userKeyRecord } from '../../../src/keys/ring/user-key.ts';
import type { VaultRecord } from '../../../src/keys/values/record.ts';
import { START } from '../world.ts';

const filled = (length: number, byte: number): string =>
  toBase64url(new Uint8Array(length).fill(byte));
const ORIGIN = 'https://a.example';
const REF = filled(16, 10);

/** One record of most types. */
export function recordsOfVector(): VaultRecord[] {
  const use = { origin: ORIGIN, generation: 1 };
  const publicKey = publicKeyText({ type: 'X25519', bytes: new Uint8Array(32).fill(7) });
  return [
    keyRootRecord({
      appRoot: filled(32, 1),
      pairwiseSecret: filled(32, 2),
      created: START,
      label: 'Mine',
    }),
    keyUseRecord({
      ...use,
      ref: APP,
      salt: filled(32, 3),
      headerKeyIds: [{ generation: 1, id: filled(16, 4) }],
    }),
    userKeyRecord('sealing', REF, {
      ...{ label: 'Letters to "Ünal" ', created: START },
      generations: [1, 2].map((generation) => ({
        generation,
        key: filled(32, 20 + generation),
        created: START,
      })),
    }),
    keyUseRecord({
      ...use,
      ref: REF,
      salt: filled(32, 5),
      headerKeyIds: [{ generation: 2, id: filled(16, 6) }],
    }),
    detailsRecord(REF, { note: 'of the office', tone: '', archived: null }),
    contactRecord(filled(16, 8), { name: 'Ada', publicKey, created: START, verified: null }),
    siteFieldsRecord({
      origin: ORIGIN,
      ref: REF,
      alwaysSealed: [{ tag: 'input', by: 'name', value: 'a b' }],
    }),
  ];
}
