import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parseCommandLine } from '../../src/cli/command-line.ts';
import { armor } from '../../src/format/wire/armor.ts';
import { webArmor } from '../../src/format/wire/web-armor.ts';
import { inspect } from '../../src/format/wire/inspect.ts';
import { LARGE_CHUNK_BYTES, PREFIX_BYTES, TAG_BYTES } from '../../src/format/wire/sealed-length.ts';
import { sealMessage } from '../../src/format/message.ts';
import type { SealMessageOptions } from '../../src/format/message.ts';
import { sealStream } from '../../src/format/streams.ts';
import { pattern } from '../format/message-vectors.ts';
import { KEY, KEY_ID, ORIGIN } from '../format/support.ts';
import { inDepth } from '../support/depth.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';
import { runIn } from './terminal.ts';

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const KEY_FILE = { format: 'sealwright-key/1', keyId: base64url(KEY_ID), key: base64url(KEY) };
const SEAL: SealMessageOptions = { key: KEY, keyId: KEY_ID, purpose: 'page' };
/**
 * Of messages that come in parts, in bytes, and at night of one that is longer than most are. Of a message of 1 KiB
 * nothing is in a file before all of it has come.
 */
const LENGTHS = IS_NIGHTLY ? [3 * 2 ** 20, 200_000_000] : [3 * 2 ** 20];

let folder: string;
const at = (name: string) => join(folder, name);

/** A folder for each test, with a key file. */
function withFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealwright-'));
    await writeFile(at('key.json'), JSON.stringify(KEY_FILE));
  });
  afterEach(() => rm(folder, { recursive: true }));
}

let isTerminal = false;
const sealwright = (...words: string[]) => runIn({ isTerminal }, ...words);

async function seal(options: Partial<SealMessageOptions>, message: Uint8Array): Promise<string> {
  await writeFile(at('sealed'), await sealMessage({ ...SEAL, ...options }, message));
  return at('sealed');
}

const open = (...words: string[]) => sealwright('open', '--key-file', at('key.json'), ...words);

describe('sealwright open', () => {
  withFolder();

  it('prints the message', async () => {
    const result = await open(await seal({}, Buffer.from('Grüße')));
    expect(result).to.deep.equal({ code: 0, printed: Buffer.from('Grüße'), complaint: '' });
  });

  it('prints to a terminal nothing that controls it, and to a pipe every byte', async () => {
    const message = Buffer.from(
      'one\r\ntwo\t\x1b]0;title\x07\x1b[2J\u009b1m\u202ethree\0 👩\u200d💻\n',
    );
    const file = await seal({}, message);
    expect((await open(file)).printed).to.deep.equal(message);
    isTerminal = true;
    try {
      const shown = (await open(file)).printed.toString();
      expect(shown).to.equal(
        'one\ntwo\t\ufffd]0;title\ufffd\ufffd[2J\ufffd1m\ufffdthree\ufffd 👩\u200d💻\n',
      );
      const binary = await seal({}, Uint8Array.of(0x9b, 0x41));
      const refusal = await open(binary);
      expect(refusal).to.deep.include({ code: 2, printed: Buffer.alloc(0) });
      expect(refusal.complaint).to.match(/not text: .*--out FILE, .*--force/);
      expect((await open(binary, '--force')).printed.toString()).to.equal('\ufffdA');
    } finally {
      isTerminal = false;
    }
  });

  it('opens every purpose, both suites, padded or not, to a file of the owner alone', async () => {
    for (const purpose of ['page', 'field', 'stream', 'vault', 'backup', 'sync'] as const) {
      for (const [length, pad] of [
        [0, true],
        [16_384, false],
        [2_200_000, true],
        [3_145_728, false],
      ] as const) {
        const message = pattern(length);
        const file = await seal({ purpose, pad }, message);
        const result = await open('--out', at('message'), '--force', file);
        expect(result).to.deep.equal({ code: 0, printed: Buffer.alloc(0), complaint: '' });
        expect(Buffer.compare(await readFile(at('message')), message)).to.equal(0);
        expect((await stat(at('message'))).mode & 0o777).to.equal(0o600);
      }
    }
  });

  it('leaves no part of a message behind at a signal, whenever it comes', async function () {
    this.timeout(240_000);
    const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    const before = (await readdir(folder)).sort();
    for (const length of LENGTHS) {
      const { sealed, phases } = await coming(length);
      for (const [phase, come] of phases.entries()) {
        // `npm test` has each phase and each signal once.
        const signals = inDepth<readonly NodeJS.Signals[]>(SIGNALS, [SIGNALS[phase]!]);
        const ends = signals.map(async (signal) => {
          const child = await openingPart(`${signal} ${come}`, sealed, come);
          const ended = once(child, 'exit');
          child.kill(signal);
          expect(await ended).to.deep.equal([null, signal]);
        });
        await Promise.all(ends);
        const words = `after ${come} of ${length} bytes`;
        expect((await readdir(folder)).sort(), words).to.deep.equal(before);
      }
    }
  });

  for (const length of LENGTHS) {
    it(`removes what a killed one has left of ${length} bytes, the next time that it writes the same file`, async function () {
      this.timeout(120_000);
      const { sealed, phases } = await coming(length);
      const child = await openingPart('killed', sealed, phases.at(-1)!);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      const [left] = (await readdir(folder)).filter((name) => name.startsWith('killed.'));
      const [machine] = left!.slice('killed.'.length).split('.');
      const random = left!.split('.').at(-2);
      // Of a process that runs, of another machine, and of another file.
      const others = [
        `killed.${machine}.${process.pid}.${random}.partial`,
        `killed.${machine === '00000000' ? '1' : '0'}0000000.${child.pid}.${random}.partial`,
        `killed.more.${machine}.${child.pid}.${random}.partial`,
        'killed.partial',
      ];
      for (const name of others) await writeFile(at(name), 'of another');
      await writeFile(at('sealed'), sealed);

      expect((await open('--out', at('killed'), at('sealed'))).code).to.equal(0);
      const names = (await readdir(folder)).filter((name) => name.startsWith('killed'));
      expect(names.sort()).to.deep.equal(['killed', ...others].sort());
    });
  }

  /** A sealed message, and how much of it has come: before its first part, after that, and before the end. */
  async function coming(length: number) {
    const sealing = sealStream({ key: KEY, keyId: KEY_ID });
    const parts = new Blob([pattern(length) as BlobPart]).stream().pipeThrough(sealing);
    const sealed = new Uint8Array(await new Response(parts).arrayBuffer());
    const phases = [2 ** 19, 2 ** 20 + 4096, sealed.length - 1];
    return { sealed, phases: phases.filter((come) => come < sealed.length) };
  }

  /** The command as a process that has read so much of a message from its input, and written each whole part of it. */
  async function openingPart(out: string, sealed: Uint8Array, come: number) {
    const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
    const words = ['--import', 'tsx', main, 'open', '--key-file', at('key.json')];
    const child = spawn(process.execPath, [...words, '--out', at(out), '-']);
    child.stdin.on('error', () => undefined); // it may end before it has read all
    child.stdin.write(sealed.subarray(0, come));
    const parts = Math.floor((come - PREFIX_BYTES) / (LARGE_CHUNK_BYTES + TAG_BYTES));
    const written = parts * LARGE_CHUNK_BYTES;
    while ((await partBytes(out)) < written) {
      expect(child.exitCode).to.equal(null);
      await setTimeout(20);
    }
    return child;
  }

  /** Bytes of the temporary file beside a target; -1 where it does not exist. */
  async function partBytes(out: string): Promise<number> {
    const name = (await readdir(folder)).find((it) => it.startsWith(`${out}.`));
    return name === undefined ? -1 : (await stat(at(name))).size;
  }

  it('reads armored text as mail and editors leave it: blanks, line ends, wrapped, quoted', async () => {
    const sealed = await sealMessage(SEAL, pattern(300));
    const texts = [armor(sealed), webArmor(sealed)].flatMap((line) => {
      const wrapped = line.replaceAll(/.{76}/g, '$&\n');
      return [
        ...[line, `${line}\n`, `${line}\r\n`, `${line}\n\n \n`, `\n\t ${line}`, `\ufeff${line}`],
        ...[wrapped, wrapped.replaceAll('\n', '\r\n'), `> ${wrapped.replaceAll('\n', '\n> ')}`],
        ...[` >> ${wrapped.replaceAll('\n', '\n>> ')}\n`, line.replaceAll(/.{9}/g, '$&\u200b')],
        line.replaceAll(/./g, '$&\n'),
      ];
    });
    for (const text of texts) {
      await writeFile(at('sealed'), text);
      const opened = await open(at('sealed'));
      expect(opened.printed, JSON.stringify(text)).to.deep.equal(Buffer.from(pattern(300)));
      // A pipe may give one byte at a time.
      const bytes = Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));
      const words = ['open', '--key-file', at('key.json'), '-'];
      expect((await runIn({ input: bytes }, ...words)).printed).to.deep.equal(opened.printed);
    }
  });

  it('reads a text with a run of line feeds, and refuses a sign of quoted mail within a line', async () => {
    const text = armor(await sealMessage(SEAL, pattern(300)));
    const run = '\n'.repeat(2 ** 21);
    const opens = async (words: string) => {
      const input = [Buffer.from(words)];
      return runIn({ input }, 'open', '--key-file', at('key.json'), '-');
    };
    const opened = await opens(`${text.slice(0, 50)}${run}${text.slice(50)}`);
    expect(opened.printed).to.deep.equal(Buffer.from(pattern(300)));
    expect((await opens(`${text.slice(0, 50)}>${run}${text.slice(50)}`)).code).to.equal(3);
  });

  it('refuses a text with anything else in it', async () => {
    const line = armor(await sealMessage(SEAL, KEY));
    const word = webArmor(await sealMessage(SEAL, KEY));
    const texts = [
      ...[`Hello ${line}`, `${line}.`, `${line}=`, `${line}A`, `${line}\n-- \nAda`],
      ...[`Hello ${word}`, `${word}.`, word.slice(0, -1), word.slice(0, 90), `${word}\n-- \nAda`],
    ];
    for (const text of texts) {
      await writeFile(at('sealed'), text);
      expect((await open(at('sealed'))).code, text).to.be.oneOf([1, 3]);
    }
  });

  it('reads standard input, of which only the end tells the length', async () => {
    for (const options of [{}, { purpose: 'stream', pad: true }] as const) {
      const sealed = await sealMessage({ ...SEAL, ...options }, pattern(40_000));
      const words = ['open', '--key-file', at('key.json'), '-'];
      const whole = await runIn({ input: [sealed.subarray(0, 7), sealed.subarray(7)] }, ...words);
      expect(whole).to.deep.equal({
        code: 0,
        printed: Buffer.from(pattern(40_000)),
        complaint: '',
      });
      for (const length of [0, 30, 80, 90, sealed.length - 1]) {
        const cut = await runIn({ input: [sealed.subarray(0, length)] }, ...words);
        expect(cut.code, `${length} bytes`).to.be.oneOf([1, 3]);
        expect(cut.printed).to.have.length(0);
      }
    }
  });

  it('takes the site as origin or as any URL of it, and the context as text or hex', async () => {
    const file = await seal({ origin: ORIGIN, associatedData: Buffer.from('row ü') }, KEY);
    const hex = Buffer.from('row ü').toString('hex');
    for (const context of [
      ['--context', 'row ü'],
      ['--context-hex', hex],
    ]) {
      for (const origin of [ORIGIN, `${ORIGIN}/`, 'https://EXAMPLE.org:443/page?x#y']) {
        const result = await open('--origin', origin, ...context, file);
        expect(result.printed, result.complaint).to.deep.equal(Buffer.from(KEY));
      }
    }
  });

  it('fails in one way for another key, site or context, and for altered bytes', async () => {
    const file = await seal({ origin: ORIGIN }, pattern(100));
    const other = { ...KEY_FILE, key: base64url(pattern(32)) };
    await writeFile(at('other.json'), JSON.stringify(other));
    const altered = await readFile(file);
    altered[altered.length - 1]! ^= 1;
    await writeFile(at('altered'), altered);
    const results = await Promise.all([
      open('--origin', 'https://example.com', file),
      open('--origin', ORIGIN, '--context', 'x', file),
      open('--origin', ORIGIN, at('altered')),
      sealwright('open', '--key-file', at('other.json'), '--origin', ORIGIN, file),
    ]);
    for (const result of results) {
      expect(result).to.deep.equal({ ...results[0], code: 1, printed: Buffer.alloc(0) });
      expect(result.complaint).to.match(/^sealwright: Cannot open: /);
    }
  });

  it('leaves no file when the last chunk of many is damaged', async () => {
    const file = await seal({}, pattern(5_000_000));
    const altered = await readFile(file);
    altered[altered.length - 1]! ^= 1;
    await writeFile(file, altered);
    expect((await open('--out', at('message'), file)).code).to.equal(1);
    expect(await readdir(folder)).to.have.members(['key.json', 'sealed']);
  });

  it('leaves an existing file as it is, without --force', async () => {
    const file = await seal({}, KEY);
    await writeFile(at('message'), 'mine');
    const refusal = await open('--out', at('message'), file);
    expect(refusal.code).to.equal(4);
    expect(refusal.complaint).to.contain('exists already');
    expect(await readFile(at('message'), 'utf8')).to.equal('mine');
    expect((await open('--out', at('message'), '--force', file)).code).to.equal(0);
    expect(await readFile(at('message'))).to.deep.equal(Buffer.from(KEY));
    expect(await readdir(folder)).to.have.members(['key.json', 'sealed', 'message']);
  });

  it('says which option a bound message needs', async () => {
    const result = await open(await seal({ origin: ORIGIN }, KEY));
    expect(result.code).to.equal(2);
    expect(result.complaint).to.contain('--origin');
  });

  it('says when the key file is for another key', async () => {
    const result = await open(await seal({ keyId: pattern(16) }, KEY));
    expect(result.code).to.equal(1);
    expect(result.complaint).to.contain('not the one this message names');
  });

  it('takes a key file without a key id, and one with fields it does not know', async () => {
    const { format, key } = KEY_FILE;
    await writeFile(at('key.json'), JSON.stringify({ format, key, label: 'Diary', generation: 3 }));
    expect((await open(await seal({}, KEY))).code).to.equal(0);
  });
});

describe('sealwright (command)', () => {
  withFolder();

  describe('key files', () => {
    const wrong: [string, string, RegExp][] = [
      ['that are not JSON', `{ "key": ${KEY_FILE.key}`, /not a JSON object/],
      ['that are a bare string', JSON.stringify(KEY_FILE.key), /not a JSON object/],
      ['of another format', JSON.stringify({ ...KEY_FILE, format: 'jwk' }), /"format"/],
      ['without a key', JSON.stringify({ ...KEY_FILE, key: undefined }), /"key"/],
      ['with a short key', JSON.stringify({ ...KEY_FILE, key: KEY_FILE.key.slice(4) }), /"key"/],
      ['with a padded key', JSON.stringify({ ...KEY_FILE, key: `${KEY_FILE.key}=` }), /"key"/],
      ['with a short key id', JSON.stringify({ ...KEY_FILE, keyId: 'AAAA' }), /"keyId"/],
    ];
    for (const [name, content, words] of wrong) {
      it(`${name} are refused without quoting them`, async () => {
        await writeFile(at('key.json'), content);
        const result = await open(await seal({}, KEY));
        expect(result.code).to.equal(3);
        expect(result.complaint).to.match(words);
        expect(result.complaint).not.to.contain(KEY_FILE.key.slice(4, 12));
      });
    }
  });

  describe('inspect', () => {
    it('prints what the header says, binary and armored alike', async () => {
      const sealed = await sealMessage({ ...SEAL, origin: ORIGIN }, pattern(1_048_577));
      await writeFile(at('binary'), sealed);
      await writeFile(at('text'), armor(sealed));
      const results = [
        await sealwright('inspect', at('binary')),
        await sealwright('inspect', at('text')),
      ];
      for (const { code, printed } of results) {
        expect(code).to.equal(0);
        const report = printed.toString();
        expect(report).to.match(/^suite +Sealwright-1MiB$/m);
        expect(report).to.match(/^purpose +page$/m);
        expect(report).to.contain(KEY_FILE.keyId);
        expect(report).to.match(/^message +1048577 bytes$/m);
        expect(report).to.match(/^bound to a site +yes/m);
      }
    });

    it('prints JSON when asked, of standard input too', async () => {
      const sealed = await sealMessage(SEAL, pattern(100));
      const { code, printed } = await runIn({ input: [sealed] }, 'inspect', '--json', '-');
      expect(code).to.equal(0);
      expect(JSON.parse(printed.toString())).to.deep.equal({
        ...inspect(sealed),
        groups: [],
        sealedBytes: sealed.length,
      });
    });

    it('says that the length of a padded message is hidden', async () => {
      const { printed } = await sealwright('inspect', await seal({ pad: true }, KEY));
      expect(printed.toString()).to.match(/^message +length hidden$/m);
    });

    it('refuses anything else with code 3', async () => {
      for (const content of ['', 'hello', 'sw1.', 'sw1.!!', '\xf5SWM']) {
        await writeFile(at('sealed'), content, 'latin1');
        const { code, complaint } = await sealwright('inspect', at('sealed'));
        expect(code, content).to.equal(3);
        expect(complaint).to.include(`sealwright: ${at('sealed')}: `);
      }
    });
  });

  it('says in plain words which file cannot be read or written, and never a temporary name', async () => {
    const file = await seal({}, KEY);
    const cases: [string[], string][] = [
      [['open', '--key-file', at('key.json'), at('nothing')], `There is no file ${at('nothing')}`],
      [['open', '--key-file', at('nothing'), file], `There is no file ${at('nothing')}`],
      [['inspect', folder], `${folder} is a folder`],
      [['inspect', `${file}/x`], `There is no file ${file}/x: a part of its path is not a folder`],
      [
        ['open', '--key-file', at('key.json'), '--out', at('no/such/file'), file],
        `There is no folder ${at('no/such')}`,
      ],
    ];
    for (const [words, complaint] of cases) {
      expect(await sealwright(...words)).to.deep.equal({
        code: 4,
        printed: Buffer.alloc(0),
        complaint: `sealwright: ${complaint}\n`,
      });
    }
  });

  it('prints its usage when asked', async () => {
    const result = await sealwright('--help');
    expect(result.code).to.equal(0);
    expect(result.printed.toString()).to.match(/^Usage:/);
  });

  it('prints its version when asked', async () => {
    const result = await sealwright('--version');
    expect(result).to.deep.equal({
      code: 0,
      complaint: '',
      printed: Buffer.from('sealwright 1.2.3\n'),
    });
  });
});

describe('parseCommandLine', () => {
  const wrong: string[][] = [
    [],
    ['unseal', 'file'],
    ['open'],
    ['open', 'file'],
    ['open', '--key-file', 'k'],
    ['open', '--key-file', 'k', 'one', 'two'],
    ['open', '--key-file', 'k', '--key', 'AAAA', 'file'],
    ['open', '--key-file', 'k', '--context', 'a', '--context-hex', '00', 'file'],
    ['open', '--key-file', 'k', '--context-hex', '0', 'file'],
    ['inspect'],
    ['inspect', '--force', 'file'],
    ['seal', 'file'],
    ['seal', '--to', 'swp1.', '--purpose', 'vault', 'file'],
    ['seal', '--to', '-', '-'],
    ['keygen', 'file'],
    ['completion', 'powershell'],
    ['help', 'unseal'],
  ];
  for (const words of wrong) {
    it(`refuses "${words.join(' ')}" with code 2, in two lines that lead to the usage`, async () => {
      const { code, complaint } = await runIn({ isTerminal: true }, ...words);
      expect(code).to.equal(2);
      expect(complaint.trimEnd().split('\n')).to.have.length(2);
      expect(complaint).to.contain('sealwright help');
    });
  }

  it('names an unknown command, and two keys where one is needed', () => {
    expect(() => parseCommandLine(['unseal', 'file'])).to.throw('There is no command "unseal"');
    const both = ['open', '--key-file', 'k', '--backup', 'b', '--passphrase-file', 'p', 'file'];
    expect(() => parseCommandLine(both)).to.throw('not both');
  });

  it('names an unknown option, without advice about files that begin with "-"', () => {
    expect(() => parseCommandLine(['inspect', '--too', 'file'])).to.throw(
      /^Unknown option '--too'\n"sealwright help"/,
    );
  });

  it('reads every option', () => {
    const words = 'open --key-file k --origin https://a --context-hex 00fF --out o --force f';
    expect(parseCommandLine(words.split(' '))).to.deep.equal({
      name: 'open',
      parameters: {
        file: 'f',
        epochs: [],
        trust: [],
        keySource: { keyFile: 'k' },
        origin: 'https://a',
        associatedData: Uint8Array.of(0, 255),
        out: 'o',
        force: true,
        shared: false,
        proof: undefined,
      },
    });
  });
});

describe('sealwright complaints', () => {
  withFolder();

  it('shows no name as it is that could control the terminal, whatever it says of it', async () => {
    const EVIL = 'evil\x1b]0;owned\x07\u202e\u009b2J\nsealwright: all is well';
    await mkdir(at(EVIL));
    const inside = `${EVIL}/file`;
    await writeFile(at(inside), 'nothing of ours');
    const sealed = await seal({}, KEY);
    await writeFile(at(`${EVIL}/key`), JSON.stringify({ ...KEY_FILE, keyId: base64url(KEY) }));
    const { printed } = await sealwright('keygen');
    await writeFile(at(`${EVIL}/identity`), printed);
    const missing = at(`${EVIL}/missing`);
    const key = ['--key-file', at('key.json')];
    const COMMANDS: readonly (readonly string[])[] = [
      [EVIL],
      [`--${EVIL}`],
      ['help', EVIL],
      ['completion', EVIL],
      ['inspect', missing],
      ['inspect', at(EVIL)],
      ['inspect', at(inside)],
      ['inspect', `${at(inside)}/below`],
      ['open', ...key, missing],
      ['open', ...key, at(inside)],
      ['open', '--key-file', missing, sealed],
      ['open', '--key-file', at(inside), sealed],
      ['open', '--key-file', at(`${EVIL}/key`), sealed],
      ['open', '--key-file', at(`${EVIL}/identity`), sealed],
      ['open', ...key, '--out', at(inside), sealed],
      ['open', ...key, '--out', `${missing}/out`, sealed],
      ['open', '--backup', missing, '--passphrase-file', at(inside), sealed],
      ['seal', ...key, '--out', at(inside), sealed],
      ['seal', '--key-file', at(`${EVIL}/identity`), '--out', at('out'), sealed],
      ['seal', '--to', missing, '--out', at('out'), sealed],
      ['seal', '--to', at(inside), '--out', at('out'), sealed],
      ['backup', '--passphrase-file', at(inside), missing],
      ['verify', missing],
      ['verify', at(EVIL)],
      ['verify', at(inside)],
      ['verify', '--release', at(inside), at(EVIL)],
    ];
    for (const words of COMMANDS) {
      const { code, complaint } = await sealwright(...words);
      const title = JSON.stringify(words);
      expect(code, title).to.not.equal(0);
      expect(complaint.replaceAll('\n', ''), title).to.not.match(/\p{C}/u);
      expect(complaint, title).to.not.match(/^sealwright: all is well/m);
    }
    const made = await sealwright('keygen', '--out', at(`${EVIL}/made`));
    expect(made.code).to.equal(0);
    expect(made.complaint.trimEnd()).to.include('owned').and.not.match(/\p{C}/u);
  });
});
