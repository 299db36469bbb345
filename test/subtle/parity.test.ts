import { expect } from 'chai';
import { createSubtle } from '../../src/library/subtle.ts';
import { NORMALIZE } from './mistakes/algorithm-names.ts';
import { ARGUMENTS } from './mistakes/arguments.ts';
import { CIPHER } from './mistakes/ciphers.ts';
import { DERIVE } from './mistakes/derivation.ts';
import { EXPORT } from './mistakes/export.ts';
import { GENERATE } from './mistakes/generation.ts';
import { IMPORT } from './mistakes/imports.ts';
import { JWK } from './mistakes/jwk.ts';
import type { Api } from './mistakes/mistake.ts';
import { errorNameOf } from '../support/outcomes.ts';

/*
 * Wrong calls, made to Node's own crypto.subtle and to ours: both have to reject with an error of
 * the same name. Where Node leaves the standard (Web Cryptography API, W3C; Web IDL), `node` says
 * what it does and `why` cites the clause that we follow.
 */

const ours = await createSubtle({ engine: 'auto' });
const theirs = globalThis.crypto.subtle as unknown as Api;

describe('mistakes are reported as by the platform', () => {
  for (const [group, cases] of Object.entries({
    NORMALIZE,
    ARGUMENTS,
    IMPORT,
    JWK,
    GENERATE,
    CIPHER,
    DERIVE,
    EXPORT,
  })) {
    describe(group.toLowerCase(), () => {
      for (const { title, call, name, node = name, why } of cases) {
        it(`${title}: ${name}${why === undefined ? '' : ` (node: ${node}. ${why})`}`, async () => {
          expect(await errorNameOf((async () => call(ours))()), 'ours').to.equal(name);
          expect(await errorNameOf((async () => call(theirs))()), 'node').to.equal(node);
        });
      }
    });
  }
});
