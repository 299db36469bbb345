import { EnvelopeError } from '../errors.ts';
import type { GroupMember } from './epoch.ts';
import type { GroupHistory } from './history.ts';

/**
 * Why nothing can be sealed to a group now. 'left': the user is no member. 'waiting': an admin has to join what admins changed
 * at the same time. 'noAdmins': the same, and no admin is left who could.
 */
export type GroupProblem = 'left' | 'waiting' | 'noAdmins';

/**
 * Sealing takes a key of each newest epoch: after changes of the same time the user may be in one of them alone.
 *
 * @param isUser whether a member is the user
 * @returns undefined where the user can seal to the group
 */
export function problemOf(
  history: GroupHistory,
  isUser: (member: GroupMember) => boolean,
): GroupProblem | undefined {
  if (!history.members.some(isUser)) return 'left';
  if (isInEachNewest(history, isUser)) return undefined;
  return history.members.some(({ adminKey }) => adminKey) ? 'waiting' : 'noAdmins';
}

function isInEachNewest(history: GroupHistory, isUser: (member: GroupMember) => boolean): boolean {
  try {
    return history.newest().every(({ members }) => members.some(isUser));
  } catch (error) {
    if (error instanceof EnvelopeError && error.code === 'NEEDS_KEY') return false;
    throw error;
  }
}
