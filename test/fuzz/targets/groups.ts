/* Epochs of groups, which anyone can send. */
import { utf8 } from '../../../src/crypto/bytes.ts';
import { ed25519PublicKey, signEd25519 } from '../../../src/engine/native/ed25519.ts';
import { EnvelopeError } from '../../../src/format/errors.ts';
import {
  epochText,
  parseEpoch,
  parseEpochText,
  signEpoch,
  type Epoch,
  type EpochContent,
} from '../../../src/format/groups/epoch.ts';
import { groupFileText, parseGroupFile } from '../../../src/format/groups/group-file.ts';
import { groupIdText, groupOf, parseGroupId } from '../../../src/format/groups/group-id.ts';
import { GroupHistory } from '../../../src/format/groups/history.ts';
import {
  accepted,
  acceptedLater,
  bytesIn,
  counting,
  require,
  requireSame,
  textIn,
} from '../target.ts';
import type { FuzzTarget } from '../target.ts';

const FILES = ['src/format/groups/epoch.ts', 'src/format/groups/history.ts'];
const ADMIN = counting(32, 1);

const memberOf = (from: number) => ({ publicKey: counting(1_216, from), wrap: counting(1_168) });

async function made(content: Partial<EpochContent>): Promise<Epoch> {
  const publicKey = await ed25519PublicKey(ADMIN);
  const members = [{ ...memberOf(1), adminKey: publicKey }, memberOf(2)];
  const first = { number: 0, group: new Uint8Array(32), parents: [], oldKeys: [], members };
  const sign = (data: Uint8Array<ArrayBuffer>) => signEd25519(ADMIN, data);
  return signEpoch({ ...first, commitment: counting(32), ...content }, { publicKey, sign });
}

async function seedEpochs(): Promise<Epoch[]> {
  const first = await made({});
  const next = { group: first.digest, number: 1, parents: [first.digest] };
  const oldKeys = [{ epoch: first.digest, sealed: counting(48) }];
  return [first, await made({ ...next, oldKeys }), await made({ members: [memberOf(3)] })];
}

/** What is read is written the same, and whatever is changed in a seed, its signature is no longer valid. */
const epoch: FuzzTarget = {
  name: 'epoch',
  files: FILES,
  maxBytes: 8_192,
  sample: 800,
  seeds: async () => (await seedEpochs()).map(({ bytes }) => bytes),
  async fuzz(data) {
    const read = await acceptedLater(() => parseEpoch(data), EnvelopeError);
    if (!read) return;
    const sign = () => Promise.resolve(data.slice(-64));
    const again = await signEpoch(read, { publicKey: read.signer, sign });
    requireSame('an epoch', again.bytes, data);
    const trust = { group: read.digest };
    const history = await acceptedLater(() => GroupHistory.check([read], trust), EnvelopeError);
    const isSeed = (await seedEpochs()).some(({ bytes }) => Buffer.compare(bytes, data) === 0);
    require('an epoch that its admin signed', !history || isSeed);
  },
};

const epochTexts: FuzzTarget = {
  name: 'epoch-text',
  files: FILES,
  maxBytes: 12_000,
  sample: 800,
  words: ['swge1.', 'swg1.', 'swp1.'],
  async seeds() {
    const epochs = await seedEpochs();
    return [
      ...epochs.map((each) => utf8(epochText(each))),
      ...epochs.map(({ digest }) => utf8(groupIdText(digest))),
    ];
  },
  async fuzz(data) {
    const text = textIn(data);
    const group = accepted(() => parseGroupId(text), EnvelopeError);
    if (group) requireSame('the id of a group', bytesIn(groupIdText(group)), bytesIn(text));
    const read = await acceptedLater(() => parseEpochText(text), EnvelopeError);
    if (read) requireSame('the text of an epoch', bytesIn(epochText(read)), bytesIn(text));
  },
};

/** What is read is of one group, and is read the same after it was written. */
const groupFiles: FuzzTarget = {
  name: 'group-file',
  files: ['src/format/groups/group-file.ts'],
  maxBytes: 16_384,
  sample: 800,
  words: ['swge1.', 'swg1.', 'Name: ', '\n> ', '\r\n', '\u00ad', '\ufeff'],
  async seeds() {
    const epochs = (await seedEpochs()).slice(0, 2);
    const [id, texts] = [groupIdText(epochs[0]!.digest), epochs.map(epochText)];
    const file = groupFileText({ name: 'Choir', id, epochs: texts });
    const wrapped = file.replace(/(.{70})/g, '$1\n> ');
    return [file, `Hello!\n\n${wrapped}\n\nAda`, texts.join('\n')].map(utf8);
  },
  async fuzz(data) {
    const text = textIn(data);
    const read = await acceptedLater(() => parseGroupFile(text), EnvelopeError);
    if (!read) return;
    require('a file of one group', read.epochs.every(
      (each) => groupIdText(groupOf(each)) === read.id,
    ));
    const again = groupFileText({ ...read, epochs: read.epochs.map(epochText) });
    const reread = await parseGroupFile(again);
    const rewritten = groupFileText({ ...reread, epochs: reread.epochs.map(epochText) });
    requireSame('a group file', bytesIn(rewritten), bytesIn(again));
  },
};

/** The targets of groups. */
export const GROUP_TARGETS: readonly FuzzTarget[] = [epoch, epochTexts, groupFiles];
