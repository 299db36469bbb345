import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ERROR_CODES } from '../../../src/rpc/errors.ts';
import * as limits from '../../../src/rpc/limits.ts';
import { CAPABILITIES, capabilitiesOf, SITE_KEY_KINDS } from '../../../src/rpc/key-kinds.ts';
import { LIMITS } from '../../../src/service/calls/rate-limits.ts';
import { CONSENT } from '../../../src/service/consent/consent-state.ts';
import { UNUSED_MS } from '../../../src/service/grants/grant-rules.ts';

/* docs/reference.md has a place for everything in the types of the page API, and the limits of the code. */
const REFERENCE = readFileSync('docs/reference.md', 'utf8');
const TYPES = readFileSync('src/client/page-api.ts', 'utf8');

function bodyOf(name: string): string {
  const found = new RegExp(`interface ${name}\\b[^{]*\\{\\n([^]*?)\\n\\}`).exec(TYPES);
  expect(found, name).to.not.equal(null);
  return found![1]!;
}

const membersOf = (name: string): string[] =>
  [...bodyOf(name).matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map((match) => match[1]!);

const MIB = 2 ** 20;
const size = (bytes: number): string => {
  if (bytes >= 1024 * MIB) return `${bytes / 1024 / MIB} GiB`;
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / 1024} KiB`;
};
const count = (value: number): string => value.toLocaleString('en');
const characters = (value: number): string => `${value} characters`;

/** The beginning of a row, and what the code has. */
const ROWS: Readonly<Record<string, string>> = {
  'one message': size(limits.MAX_PLAINTEXT_BYTES),
  'a Blob or a stream': size(limits.MAX_BLOB_BYTES),
  '`context`': size(limits.MAX_CONTEXT_BYTES),
  'items of a batch': count(limits.MAX_BATCH_ITEMS),
  'plaintext of a batch': size(limits.MAX_BATCH_PLAINTEXT_BYTES),
  '`contexts` of a batch': size(limits.MAX_BATCH_CONTEXT_BYTES),
  'records of a batch': size(limits.MAX_BATCH_RECORD_BYTES),
  '`random`': size(limits.MAX_RANDOM_BYTES),
  'recipients of a message': count(limits.MAX_RECIPIENTS),
  '`purpose`': characters(limits.MAX_PURPOSE_CHARACTERS),
  '`label`': characters(limits.MAX_LABEL_CHARACTERS),
  'collections of a grant': count(limits.MAX_COLLECTIONS),
  'name of a collection': characters(limits.MAX_COLLECTION_CHARACTERS),
  'id of a record': characters(limits.MAX_RECORD_ID_CHARACTERS),
  'value of `blindIndex`': size(limits.MAX_INDEXED_BYTES),
  'field of `blindIndex`': characters(limits.MAX_FIELD_CHARACTERS),
  'an argument of `subtle`': size(limits.MAX_SUBTLE_BYTES),
  'streams of a page': '256',
  '`connect` after a no': `${CONSENT.firstCooldownMs / 1000} s`,
  'calls at once': count(LIMITS.burstCalls),
  'calls a second': count(LIMITS.callsPerSecond),
};

/** The cells of the rows below a heading. */
const rowsBelow = (heading: string): string[][] => {
  const section = REFERENCE.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
};

describe('docs/reference.md', () => {
  it('has a section for each method, and none for others', () => {
    const own = membersOf('Sealwright').filter(
      (name) => !['info', 'sync', 'subtle'].includes(name),
    );
    const methods = [...own, ...membersOf('SealwrightSync').map((name) => `sync.${name}`)];
    expect(methods).to.have.length.above(30);
    const sections = [...REFERENCE.matchAll(/^### `([\w.]+)\(/gm)].map((match) => match[1]!);
    expect(sections).to.have.members(methods);
  });

  it('names every option, field, capability, event and member of a result', () => {
    const types = [
      'CallOptions',
      'SealOptions',
      'SealOneOptions',
      'OpenOptions',
      'GrantRequest',
      'ProviderInfo',
    ];
    const results = ['Grant', 'KeyInfo', 'Status', 'SealedInfo'];
    const names = [...types, ...results].flatMap(membersOf);
    expect(names).to.have.length.above(40);
    const events = ['lock', 'unlock', 'grantchange', 'disconnect', 'reconnect'];
    const prose = REFERENCE.replace(/```[^]*?```/g, '');
    const codes = [...prose.matchAll(/`([^`]+)`/g)].map((match) => match[1]!).join(' ');
    const missing = [...names, ...events, ...CAPABILITIES].filter(
      (name) => !new RegExp(`\\b${name}\\b`).test(codes),
    );
    expect(missing).to.deep.equal([]);
  });

  it('has each error code with its cause, its data and what to do', () => {
    const rows = rowsBelow('Errors').filter(([code]) => code!.startsWith('`'));
    expect(rows.map(([code]) => code!.replaceAll('`', ''))).to.have.members([...ERROR_CODES]);
    for (const [code, cause, data, help] of rows) {
      expect(Boolean(cause && help), code).to.equal(true);
      const hasData = ['`QUOTA`', '`NEEDS_KEY`', '`NOT_GRANTED`', '`UNSUPPORTED`'].includes(code!);
      expect(data !== '', code).to.equal(hasData);
    }
  });

  it('has the limits of the code', () => {
    const rows = rowsBelow('Limits').slice(2);
    expect(rows).to.have.length(Object.keys(ROWS).length);
    for (const [begin, value] of Object.entries(ROWS)) {
      const row = rows.find(([name]) => name!.startsWith(begin));
      expect(row?.[1], begin).to.equal(value);
    }
    expect(REFERENCE).to.include(`${UNUSED_MS / 86_400_000} days`);
    const streams = readFileSync('extension/content/bulk/streams.ts', 'utf8');
    expect(streams).to.include('const STREAMS_MAX = 256;');
  });

  it('has the capabilities of each kind of key', () => {
    const rows = rowsBelow('Permissions');
    for (const kind of SITE_KEY_KINDS) {
      const row = rows.find(([name]) => name!.split(', ').includes(`\`${kind}\``));
      expect(row?.[1], kind).to.equal(
        capabilitiesOf(kind)
          .map((one) => `\`${one}\``)
          .join(', '),
      );
    }
  });

  it('has an example of each method, and of events and errors', () => {
    const sections = REFERENCE.split(/^#{2,3} /m).slice(1);
    const without = sections
      .filter((text) => {
        const [, call = text] = /^`([\w.]+)\(/.exec(text) ?? [];
        const isMethod = text.startsWith('`');
        const [, example = ''] = /```js\n([^]*?)```/.exec(text) ?? [];
        const words = isMethod ? `sealwright.${call}(` : 'sealwright.';
        return (isMethod || /^(Events|Errors)\n/.test(text)) && !example.includes(words);
      })
      .map((text) => text.split('\n')[0]);
    expect(without).to.deep.equal([]);
  });
});
