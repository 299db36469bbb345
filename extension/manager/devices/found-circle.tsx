import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Banner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey } from '../../ui/text/i18n.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import { DEVICE_NAME_BYTES } from './pairing-message.ts';

/** What the browser's sync holds for a recovery code. */
export type Found = ResultOf<'ui.lookAtMedium'>;
type Opened = Extract<Found, { readonly outcome: 'opened' }>;

/** Why nothing was taken. */
export type Fault = Exclude<Found, Opened>['outcome'];

const FAULTS: Readonly<Record<Fault, MessageKey>> = {
  mistyped: 'arrivalMistyped',
  unreachable: 'arrivalUnreachable',
  empty: 'arrivalEmpty',
  unopened: 'arrivalUnopened',
  late: 'arrivalLate',
  forked: 'arrivalForked',
  refused: 'arrivalRefused',
};

interface FoundFaultProps {
  readonly fault: Fault;
  readonly isByPasskey?: boolean;
}

/** One sentence about what is in the way. */
export function FoundFault({ fault, isByPasskey = false }: FoundFaultProps) {
  const text = useText();
  const isOfPasskey = isByPasskey && fault === 'unopened';
  return (
    <Banner tone="warning" id="arrival-fault">
      <p>{text.t(isOfPasskey ? 'arrivalPasskeyUnopened' : FAULTS[fault])}</p>
    </Banner>
  );
}

/** The devices whose keys a code opens, before anything is taken. */
export function FoundDevices({ members, keys, contacts }: Opened) {
  const text = useText();
  const names = members.filter(({ kind }) => kind === 'device').map(({ name }) => name);
  return (
    <Banner tone="info" id="arrival-found" title={text.t('arrivalFound')}>
      <ul>
        {names.map((name, at) => (
          <li key={at}>
            <bdi>{plainText(name, DEVICE_NAME_BYTES)}</bdi>
          </li>
        ))}
      </ul>
      <p>{text.t('arrivalCounts', keys, contacts)}</p>
      <p>{text.t('arrivalFoundMore')}</p>
    </Banner>
  );
}
