import { expect } from 'chai';
import type { EnvelopeError } from '../../../src/format/errors.ts';
import { epochText } from '../../../src/format/groups/epoch.ts';
import {
  GROUP_FILE_BYTES_MAX,
  GROUP_NAME_MAX,
  groupFileText,
  groupName,
  isGroupFile,
  parseGroupFile,
} from '../../../src/format/groups/group-file.ts';
import { openGroup } from '../../../src/format/groups/sharing-groups.ts';
import { MAX_EPOCHS, MAX_EPOCHS_BYTES, MAX_LABEL_CHARACTERS } from '../../../src/rpc/limits.ts';
import { readGroupVectors } from './group-vectors.ts';

const { epochs: EPOCHS, groups: GROUPS } = readGroupVectors();

const contentOf = (vector: string) => {
  const { group, epochs } = GROUPS.find(({ id }) => id === vector)!;
  return { name: 'Choir', id: group, epochs: epochs.map((name) => EPOCHS[name]!) };
};

/** What is read of a text, as what was written. */
async function readFrom(text: string) {
  const { name, id, epochs } = await parseGroupFile(text);
  return { name, id, epochs: epochs.map(epochText) };
}

const refusal = (text: string): Promise<string> =>
  parseGroupFile(text).then(
    () => 'read',
    (error: unknown) => {
      const { code, message } = error as EnvelopeError;
      return `${code}: ${message}`;
    },
  );

describe('a group file', () => {
  const chain = contentOf('removed');
  const text = groupFileText(chain);
  const [first, second] = chain.epochs as [string, string];

  it('has a name, the id and the epochs, one in a line', () => {
    expect(text).to.equal(`Name: Choir\n\n${chain.id}\n${chain.epochs.join('\n')}\n`);
    expect(groupFileText({ ...chain, name: ' \n' })).to.equal(text.slice('Name: Choir\n\n'.length));
  });

  it('is read as it was written, each epoch once', async () => {
    expect(await readFrom(text)).to.deep.equal(chain);
    expect(await readFrom(`${text}${text}`)).to.deep.equal(chain);
    const open = () => openGroup({ id: chain.id, epochs: [text, second], identities: [] });
    expect((await open()).epochs).to.deep.equal(chain.epochs);
  });

  it('is read as mail leaves it', async () => {
    const inLines = text.replace(/(.{70})/g, '$1\n');
    const quoted = inLines.replace(/^/gm, '> > ').replaceAll('\n', '\r\n');
    const broken = text.replace(/(.{70})/g, '$1\u00ad').replace(/^/, '\ufeff');
    for (const sent of [inLines, quoted, broken]) {
      const mail = `Hello,\nhere it is: our group's file.\n\n${sent}\n\nUntil Monday\nAda\n`;
      expect(await readFrom(sent)).to.deep.equal(chain);
      expect(await readFrom(mail), mail.slice(0, 200)).to.deep.equal(chain);
    }
  });

  it('passes over lines of later versions, and of people, outside of epochs', async () => {
    const later = text
      .replace('\n\n', '\nColour: green\n# Monday\n\n')
      .replace('\nswge1.', '\n\n\nswge1.');
    expect(await readFrom(later)).to.deep.equal(chain);
    const withNotes = text.replaceAll(/^swge1\..*$/gm, '$&\n# the epoch above: ours');
    expect(await readFrom(withNotes)).to.deep.equal(chain);
  });

  it('may lack the name and the id: epochs alone say which group they are of', async () => {
    expect(await readFrom(chain.epochs.join('\n'))).to.deep.equal({ ...chain, name: '' });
    expect(await readFrom(second)).to.deep.equal({ ...chain, name: '', epochs: [second] });
  });

  it('says in which line it is wrong', async () => {
    const other = EPOCHS['other-group']!;
    const cases: [string, string][] = [
      ['', 'BAD_ENVELOPE: It has no epoch of a group'],
      [chain.id, 'BAD_ENVELOPE: It has no epoch of a group'],
      ['Name: Choir\nHello', 'BAD_ENVELOPE: It has no epoch of a group'],
      [`${chain.id}\n${first.slice(0, -4)}`, 'BAD_ENVELOPE: Line 2: This is no epoch'],
      [`${first}\nAda\n`, 'BAD_ENVELOPE: Line 1: This is no epoch'],
      [`${first} Ada\n`, 'BAD_ENVELOPE: Line 1: This is no epoch'],
      [`${first}=\n`, 'BAD_ENVELOPE: Line 1: This is no epoch'],
      [`${chain.id.slice(0, -1)}\n${first}`, 'BAD_ENVELOPE: Line 1: This is no id'],
      [`${chain.id.slice(0, -1)}A\n\n${first}`, 'BAD_ENVELOPE: Line 3: This epoch is of another'],
      [`${text}\n${chain.id.slice(0, -2)}AA`, 'This is the id of another group'],
      [`${text}\n${other}`, `Line ${text.split('\n').length + 1}: This epoch is of another group`],
      [`${first}\nthe next: ${second}`, 'BAD_ENVELOPE: Line 2: Ids and epochs begin'],
      [`Our group (${chain.id})\n${first}`, 'BAD_ENVELOPE: Line 1: Ids and epochs begin'],
    ];
    for (const [given, words] of cases) {
      expect(await refusal(given), given.slice(0, 60)).to.include(words);
    }
  });

  it('has limits, which are counted before any work', async () => {
    expect(GROUP_FILE_BYTES_MAX).to.equal(MAX_EPOCHS_BYTES);
    expect(GROUP_NAME_MAX).to.equal(MAX_LABEL_CHARACTERS);
    const many = (epochs: number) => 'swge1.A\n'.repeat(epochs);
    expect(await refusal(' '.repeat(GROUP_FILE_BYTES_MAX + 1))).to.match(/^TOO_LARGE/);
    expect(await refusal(many(MAX_EPOCHS + 1))).to.equal(
      'TOO_LARGE: A group file has at most 1024 epochs',
    );
    expect(await refusal(many(MAX_EPOCHS))).to.match(/^BAD_ENVELOPE/);
    for (const lines of ['A'.repeat(500_000), 'A\n'.repeat(500_000)]) {
      expect(await refusal(`swge1.\n${lines}`)).to.match(/^TOO_LARGE: Line \d+: An epoch has/);
    }
  });

  it('takes no longer for lines of blanks', async () => {
    const begun = process.cpuUsage();
    for (const blanks of ['\n', ' ', '> ']) {
      await refusal(`${blanks.repeat(200_000)}x${blanks.repeat(200_000)}`);
    }
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000, 'ms of the processor').to.be.below(5_000);
  });
});

describe('the name in a group file', () => {
  it('is one line without signs that reorder it, and not longer than names elsewhere', () => {
    const cases = [
      ['Choir\nName: Other', 'Choir Name: Other'],
      [' a\u202eb\u2028c\t\u00a0d ', 'a b c d'],
      ['x'.repeat(101), 'x'.repeat(100)],
      [`${'x'.repeat(99)}🎶`, 'x'.repeat(99)],
      ['🎶'.repeat(60), '🎶'.repeat(50)],
      ['\u200b', ''],
    ] as const;
    for (const [given, name] of cases) expect(groupName(given)).to.equal(name);
  });

  it('is the first before the epochs', async () => {
    const content = contentOf('first');
    const named = (before: string, after = '') =>
      parseGroupFile(`${before}${content.id}\n\n${content.epochs[0]}\n\n${after}`);
    expect((await named('Name:\nName: Choir\u2028 of St. John\nName: C\n')).name).to.equal(
      'Choir of St. John',
    );
    expect((await named('My Name: B\n')).name).to.equal('');
    expect((await named('', 'Name: C')).name).to.equal('');
    // As the manager calls a group whose file has no name.
    const id = { ...content, name: content.id.slice(0, 12) };
    const twice = await readFrom(`${groupFileText(id)}${groupFileText(id)}`);
    expect(twice.name).to.equal(id.name);
  });
});

describe('the beginning of a group file', () => {
  it('is known by a line with the id or an epoch', () => {
    const text = groupFileText(contentOf('first'));
    const yes = [text.slice(0, 200), `Hello\n> ${text.slice(13, 50)}`, 'swge1.AQ'];
    const no = ['', 'Name: Choir', 'sw1.AAAA', 'swp1.AAAA', 'the group swg1.BQ', 'swg1'];
    expect(yes.map(isGroupFile)).to.deep.equal(yes.map(() => true));
    expect(no.map(isGroupFile)).to.deep.equal(no.map(() => false));
  });
});
