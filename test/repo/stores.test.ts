import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { zipOf } from '../../scripts/archives.mjs';
import { chromeStore } from '../../scripts/chrome-store.mjs';
import { signedCrx } from '../../scripts/sign-crx.mjs';
import { readArchive } from '../../src/cli/verify/archive.ts';
import { utf8 } from '../../src/crypto/bytes.ts';

/** The fields of a message of Protocol Buffers, all of which are bytes. */
function fieldsOf(message: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  let at = 0;
  const varint = () => {
    let [value, shift] = [0, 0];
    for (; ; shift += 7) {
      const byte = message[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const number = varint() >> 3;
    const length = varint();
    fields.set(number, message.subarray(at, (at += length)));
  }
  return fields;
}

describe('a CRX', () => {
  it('holds the zip as it is, and a signature of it and of the id of its key', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const zip = zipOf(new Map([['manifest.json', utf8('{}')]]));
    const crx = signedCrx(zip, pem);
    expect([...readArchive(crx, 'a').keys()]).to.deep.equal(['manifest.json']);
    const headerBytes = crx.readUInt32LE(8);
    expect(crx.subarray(12 + headerBytes).equals(zip)).to.equal(true);
    const header = fieldsOf(crx.subarray(12, 12 + headerBytes));
    const proof = fieldsOf(header.get(2)!);
    const [publicKey, signature] = [proof.get(1)!, proof.get(2)!];
    const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
    expect(publicKey.equals(spki)).to.equal(true);
    const signedHeader = header.get(10_000)!;
    const id = createHash('sha256').update(spki).digest().subarray(0, 16);
    expect(fieldsOf(signedHeader).get(1)!.equals(id)).to.equal(true);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(signedHeader.length);
    const signed = Buffer.concat([Buffer.from('CRX3 SignedData\0'), length, signedHeader, zip]);
    expect(verify('sha256', signed, privateKey, signature)).to.equal(true);
  });
});

describe('the Chrome Web Store', () => {
  const env = {
    CHROME_PUBLISHER: 'p',
    CHROME_ITEM: 'i',
    CHROME_CLIENT_ID: 'c',
    CHROME_CLIENT_SECRET: 's',
    CHROME_REFRESH_TOKEN: 'r',
  };
  /** A store that answers in turn, and what it was asked. */
  function fake(...answers: unknown[]) {
    const asked: string[] = [];
    const fetch = (url: string, init: RequestInit = {}) => {
      const body = typeof init.body === 'string' ? ` ${init.body}` : '';
      asked.push(`${init.method ?? 'GET'} ${new URL(url).pathname}${body}`);
      const answer = answers.shift();
      return Promise.resolve(
        answer instanceof Response ? answer : new Response(JSON.stringify(answer)),
      );
    };
    return { asked, store: chromeStore(env, fetch, () => Promise.resolve()) };
  }
  const TOKEN = { access_token: 't' };

  it('gets the package, is asked until it has it, and publishes it for a share of the users', async () => {
    const { asked, store } = fake(
      ...[TOKEN, { uploadState: 'UPLOAD_IN_PROGRESS' }, { lastAsyncUploadState: 'SUCCEEDED' }],
      { state: 'PENDING_REVIEW' },
    );
    expect(await store.publish(utf8('crx'), 5)).to.deep.equal({ state: 'PENDING_REVIEW' });
    expect(asked).to.deep.equal([
      'POST /token',
      'POST /upload/v2/publishers/p/items/i:upload',
      'GET /v2/publishers/p/items/i:fetchStatus',
      'POST /v2/publishers/p/items/i:publish {"deployInfos":[{"deployPercentage":5}]}',
    ]);
  });

  it('raises the share later', async () => {
    const { asked, store } = fake(TOKEN, new Response(''));
    await store.rollout(50);
    expect(asked[1]).to.equal(
      'POST /v2/publishers/p/items/i:setPublishedDeployPercentage {"deployPercentage":50}',
    );
  });

  it('is not asked to publish what it refused', async () => {
    for (const [refusal, words] of [
      [{ uploadState: 'FAILED' }, 'FAILED'],
      [new Response('not signed', { status: 400 }), '400 not signed'],
    ] as const) {
      const { asked, store } = fake(TOKEN, refusal);
      const message = await store.publish(utf8('crx'), 5).then(
        () => '',
        (error: unknown) => String(error),
      );
      expect(message).to.include(words);
      expect(asked).to.have.length(2);
    }
  });
});

/** By the commit that was compared with a copy of the action's repository, and the tag of that commit. */
const ACTIONS = ['actions/attest@59d89421af93a897026c735860bf21b6eb4f7b26 # v4.1.0'];

describe('the workflows', () => {
  const FOLDER = '.github/workflows';

  it('use each action of the list, and no other', () => {
    const used = readdirSync(FOLDER).flatMap((name) =>
      [...readFileSync(`${FOLDER}/${name}`, 'utf8').matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(
        ([, one]) => one!,
      ),
    );
    expect(used).to.deep.equal(ACTIONS);
  });

  it('attest in a job that runs nothing else: what signs is not within reach of a build', () => {
    const text = readFileSync(`${FOLDER}/release.yml`, 'utf8');
    const jobs = text.split(/^(?= {2}[a-z]+:$)/m).filter((job) => job.includes('id-token: write'));
    expect(jobs.map((job) => job.trim().split(':')[0])).to.deep.equal(['attest', 'npm']);
    for (const job of jobs) expect(job).to.not.match(/npm (ci|run|install)|npx|git fetch|node /);
  });
  for (const name of readdirSync(FOLDER)) {
    it(`${name} gives no right to all its jobs, and puts no text of others into a script`, () => {
      const text = readFileSync(`${FOLDER}/${name}`, 'utf8');
      expect(text).to.match(/^permissions: \{\}$/m);
      const scripts = [...text.matchAll(/^( +)run: \|?\n?((?:\1 {2}.*\n|\n)*|.*\n)/gm)].map(
        ([all]) => all,
      );
      expect(scripts).to.not.be.empty;
      expect(scripts.filter((script) => script.includes('${{'))).to.deep.equal([]);
      // Programs that a step runs see no token that they do not need.
      for (const [job] of text.matchAll(/^ {4}env:\n(?: {6}.*\n)*/gm)) {
        expect(job).to.not.match(/token|secrets/);
      }
    });
  }
});
