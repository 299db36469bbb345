/*
 * The testkit of age, C2SP/CCTV (package cctv-age), as the manager opens files: identities of X25519 and hybrid ones,
 * passphrases, payloads of any form. scripts/test-data.mjs installs it; without it the file is reported as not run.
 */
import { inflateSync } from 'node:zlib';
import { expect } from 'chai';
import { ageVectorsModule } from '../../../../scripts/test-data.mjs';
import { ageFileIn, openedAgeParts } from '../../../../extension/manager/files/age-file.ts';
import { concat, toHex } from '../../../../src/crypto/bytes.ts';
import { AuthenticationError } from '../../../../src/crypto/errors.ts';
import { sha256 } from '../../../../src/crypto/hash/sha256.ts';
import { EnvelopeError } from '../../../../src/format/errors.ts';
import { VaultError } from '../../../../src/keys/values/errors.ts';
import { ageFiles, IDLE_WORK } from '../../../support/age-files.ts';

/** Armor that age refuses and we accept: mail programs break lines anew and add blank ones. */
const LENIENT =
  /^armor_(?:empty_line_(?:begin|end)|full_last_line|long_line|short_line|empty_last_line|no_padding|eol_between_padding)$/;

const file = ageVectorsModule();
const vectors = file === undefined ? undefined : ((await import(file)) as Vectors);
type Vectors = Readonly<Record<string, Uint8Array>>;

interface Vector {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly file: Uint8Array;
}

function parsed(bytes: Uint8Array): Vector {
  const end = Buffer.from(bytes).indexOf('\n\n');
  const lines = new TextDecoder().decode(bytes.subarray(0, end)).split('\n');
  const fields = new Map<string, string[]>();
  for (const line of lines) {
    const [name = '', value = ''] = line.split(': ');
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  const body = bytes.slice(end + 2);
  return { fields, file: fields.has('compressed') ? new Uint8Array(inflateSync(body)) : body };
}

/** What came out before the end or an error, in the words of the testkit. */
async function outcomeOf({ fields, file }: Vector) {
  const parts: Uint8Array[] = [];
  const result = (expected: string) => ({ expected, payload: toHex(sha256(concat(...parts))) });
  try {
    const age = await ageFileIn(new Blob([file as BlobPart]));
    if (!age) return result('header failure');
    const [passphrase] = fields.get('passphrase') ?? [];
    const identities = fields.get('identity') ?? [];
    const key = await ageFiles.openHead(age.head, { identities, passphrase });
    if (!key) return result('no match');
    for await (const part of openedAgeParts(age, key, IDLE_WORK)) parts.push(part);
    return result('success');
  } catch (error) {
    if (error instanceof AuthenticationError) return result('payload failure');
    const isHeader = error instanceof EnvelopeError || error instanceof VaultError;
    if (!isHeader) throw error;
    return result('header failure');
  }
}

describe('The testkit of age', () => {
  if (!vectors) {
    it('is not here: npm run setup installs it', function () {
      if (process.env['CI']) throw new Error('The vectors of age are not installed');
      this.skip();
    });
    return;
  }
  for (const [name, bytes] of Object.entries(vectors)) {
    it(name, async () => {
      const vector = parsed(bytes);
      const [expected] = vector.fields.get('expect')!;
      const outcome = await outcomeOf(vector);
      if (LENIENT.test(name)) expect(outcome.expected).to.equal('success');
      // A damaged armor or MAC is told as a damaged header.
      else if (expected === 'armor failure' || expected === 'HMAC failure') {
        expect(outcome.expected).to.equal('header failure');
      } else expect(outcome.expected).to.equal(expected);
      if (outcome.expected === 'success' && expected === 'success') {
        expect(outcome.payload).to.equal(vector.fields.get('payload')![0]);
      }
    }).timeout(60_000);
  }
});
