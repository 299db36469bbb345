import type { Implementations } from '../../rpc/call.ts';
import { callIdOf, onceIn, OWN_PAGES } from '../calls/journal.ts';
import {
  REQUEST_MS,
  type FriendsRecovery,
  type FriendsRecoveryDeps,
  type WaitingRequest,
} from './recovery-friends.ts';
import type { Verification } from './verification.ts';

interface Deps extends Pick<FriendsRecoveryDeps, 'vault' | 'now'> {
  readonly friendsRecovery: FriendsRecovery;
}

type RecoveryMethods =
  | 'ui.friends'
  | 'ui.dealRecovery'
  | 'ui.drillFriends'
  | 'ui.askFriends'
  | 'ui.endRecovery'
  | 'ui.readRequest'
  | 'ui.answerRequest'
  | 'ui.takeAnswer';

/** The ui methods for recovery by friends. Each may be repeated: a second file, drill or answer is as good as the first. */
export function uiRecoveryMethods(deps: Deps): Pick<Implementations, RecoveryMethods> {
  const { friendsRecovery, vault, now } = deps;
  return {
    async 'ui.friends'() {
      const [friends, waiting] = [await friendsRecovery.friends(), await friendsRecovery.waiting()];
      const dealt = friends && {
        created: friends.created,
        threshold: friends.threshold,
        friends: friends.friends.map(({ name, proved }) => ({ name, proved })),
        drillAsked: friends.drill?.asked ?? null,
      };
      return { dealt: dealt ?? null, recovery: waiting ? shown(waiting) : null };
    },
    async 'ui.dealRecovery'({ by, contacts, threshold }) {
      return { file: await friendsRecovery.deal(by, contacts, threshold) };
    },
    async 'ui.drillFriends'({ file }) {
      return { request: await friendsRecovery.drill(file) };
    },
    async 'ui.askFriends'({ file, name }, call) {
      const entry = { call: callIdOf(call), at: now() };
      await friendsRecovery.begin(file, name, (change) =>
        vault.commit((draft) => onceIn(draft, OWN_PAGES, entry, () => change(draft))),
      );
      return {};
    },
    async 'ui.endRecovery'() {
      await friendsRecovery.end();
      return {};
    },
    async 'ui.readRequest'({ request: text }) {
      await vault.refresh();
      const { request, dealer, verification } = await friendsRecovery.read(text);
      const { asked, askedAt, facts } = request;
      return {
        kind: asked.kind,
        name: asked.kind === 'recovery' ? asked.name : null,
        asked: askedAt,
        created: facts.created,
        threshold: facts.threshold,
        count: facts.count,
        dealer,
        words: wordsOf(verification),
      };
    },
    async 'ui.answerRequest'({ by, request }) {
      const { kind, text } = await friendsRecovery.answer(by, request);
      return { kind, answer: text };
    },
    async 'ui.takeAnswer'({ answer }) {
      return { ...(await friendsRecovery.take(answer)) };
    },
  };
}

function shown({ pending, request, verification }: WaitingRequest) {
  const { asked, askedAt, facts } = request;
  return {
    request: pending.request,
    name: asked.kind === 'recovery' ? asked.name : '',
    asked: askedAt,
    until: askedAt + REQUEST_MS,
    created: facts.created,
    threshold: facts.threshold,
    count: facts.count,
    answered: pending.shares.map(({ index }) => index).sort((a, b) => a - b),
    words: wordsOf(verification),
  };
}

const wordsOf = (verification: Verification | null): number[] => [...(verification?.words ?? [])];
