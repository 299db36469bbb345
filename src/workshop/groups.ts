import { copyOf, equal } from '../crypto/bytes.ts';
import { NATIVE_X25519 } from '../engine/kem/native-x25519.ts';
import { EnvelopeError } from '../format/errors.ts';
import {
  encodeEpoch,
  parseEpochText,
  type Epoch,
  type GroupMember,
} from '../format/groups/epoch.ts';
import { groupOf } from '../format/groups/group-id.ts';
import { problemOf, type GroupProblem } from '../format/groups/group-problem.ts';
import { GroupHistory } from '../format/groups/history.ts';
import { following, newContent } from '../format/groups/new-epoch.ts';
import { NATIVE_CRYPTO } from '../format/native-crypto.ts';
import { allKems } from '../format/recipients/kems.ts';
import { unarmor } from '../format/wire/armor.ts';
import { unpacked, type ByteList } from '../rpc/transport/byte-list.ts';
import type { InputOf, OutputOf } from '../rpc/workshop.ts';
import type { Group } from './contract.ts';
import { seeded } from './seeded.ts';

type Check = 'groups.check';
type Params = InputOf<Check>['params'];
type Make = 'groups.make';

/**
 * Epochs of groups, which a page or a person gives: who made them, and in which order, is up to an attacker. And long texts
 * of messages, whose characters and lines are.
 */
export function operations(): Group<'armor' | 'groups'> {
  return {
    'armor.read': ({ params: { text } }) => Promise.resolve(messageIn(text)),
    async 'groups.check'({ params }) {
      try {
        return await checked(params);
      } catch (error) {
        return { error: refusalOf(error) };
      }
    },
    async 'groups.make'(input) {
      try {
        return { content: await made(input) };
      } catch (error) {
        return { error: refusalOf(error) };
      }
    },
  };
}

function messageIn(text: Uint8Array): OutputOf<'armor.read'> {
  try {
    // Latin-1: a byte that is not ASCII stays one character, which is refused.
    return { sealed: unarmor(new TextDecoder('latin1').decode(text)) };
  } catch (error) {
    return { error: refusalOf(error) };
  }
}

async function checked({ group, epochs, publicKeys, wanted }: Params): Promise<OutputOf<Check>> {
  const given = await parsed(epochs);
  const ofGroup = given.filter((epoch) => equal(groupOf(epoch), group));
  if (wanted && ofGroup.length === 0) return { all: [], heads: [], epochs: [] };
  const history = await GroupHistory.check(ofGroup, { group });
  const isOwn = ({ publicKey }: GroupMember) => publicKeys.some((key) => equal(publicKey, key));
  const told = wanted ? { useful: openersOf(history, wanted) } : newestOf(history, isOwn);
  return {
    all: digestsOf(history.epochs),
    heads: digestsOf(history.heads),
    epochs: (told.useful ?? []).map((epoch) => forMembers(epoch, isOwn)),
    ...(told.waiting !== undefined && { waiting: told.waiting }),
    ...(told.problem !== undefined && { problem: told.problem }),
  };
}

/** The wraps of its members are made here too: each takes about as long as a record of a sync service. */
async function made({ secrets, params }: InputOf<Make>): Promise<Uint8Array> {
  const { key, oldKeys, seed } = secrets;
  const { group, epochs, add, remove, signer } = params;
  const random = seeded(seed);
  const { 'X-Wing': kem } = allKems(() => Promise.resolve(NATIVE_X25519));
  const change = {
    add,
    remove,
    oldKeys: oldKeys.map((old) => ({ group: group ?? old.epoch, ...old })),
  };
  const epoch = group
    ? following(await GroupHistory.check(await parsed(epochs), { group }), change)
    : { members: add };
  const content = await newContent(epoch, key, { kem, crypto: NATIVE_CRYPTO, random });
  return encodeEpoch(content, signer);
}

const parsed = (epochs: ByteList): Promise<Epoch[]> =>
  Promise.all(
    unpacked(epochs).map((bytes) => parseEpochText(new TextDecoder('latin1').decode(bytes))),
  );

type IsOwn = (member: GroupMember) => boolean;

interface Told {
  readonly useful?: readonly Epoch[];
  readonly waiting?: string;
  readonly problem?: GroupProblem | undefined;
}

const openersOf = ({ epochs }: GroupHistory, wanted: readonly Uint8Array[]): readonly Epoch[] =>
  epochs.filter(({ digest, oldKeys }) =>
    wanted.some((each) => equal(digest, each) || oldKeys.some(({ epoch }) => equal(epoch, each))),
  );

function newestOf(history: GroupHistory, isOwn: IsOwn): Told {
  const problem = problemOf(history, isOwn);
  try {
    return { useful: history.newest(), problem };
  } catch (error) {
    return { waiting: refusalOf(error).message, problem };
  }
}

/** Copies: the parts of an epoch are views of all its bytes, which would be sent with each. */
function forMembers(epoch: Epoch, isOwn: IsOwn) {
  const members = epoch.members.filter(isOwn);
  return {
    number: epoch.number,
    group: copyOf(epoch.group),
    parents: epoch.parents.map(copyOf),
    digest: epoch.digest,
    commitment: copyOf(epoch.commitment),
    oldKeys: epoch.oldKeys.map((old) => ({ epoch: copyOf(old.epoch), sealed: copyOf(old.sealed) })),
    members: members.map(({ publicKey, wrap }) => ({
      publicKey: copyOf(publicKey),
      wrap: copyOf(wrap),
    })),
  };
}

const digestsOf = (epochs: readonly Epoch[]): Uint8Array[] => epochs.map(({ digest }) => digest);

/** @throws what is not an error of the epochs */
function refusalOf(error: unknown) {
  if (!(error instanceof EnvelopeError)) throw error;
  const { code, message } = error;
  return { code, message };
}
