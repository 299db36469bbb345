import type { Implementations } from '../../rpc/call.ts';
import { callIdOf, onceIn, OWN_PAGES } from '../calls/journal.ts';
import type { FriendsRecovery, FriendsRecoveryDeps } from './recovery-friends.ts';

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
export function uiRecoveryMethods({
  friendsRecovery,
  vault,
  now,
}: Deps): Pick<Implementations, RecoveryMethods> {
  return {
    'ui.friends': () => friendsRecovery.state(),
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
    async 'ui.readRequest'({ request }) {
      await vault.refresh();
      return friendsRecovery.read(request);
    },
    'ui.answerRequest': ({ by, request }) => friendsRecovery.answer(by, request),
    'ui.takeAnswer': ({ answer }) => friendsRecovery.take(answer),
  };
}
