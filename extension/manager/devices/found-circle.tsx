import type { ResultOf } from '../../../src/rpc/methods/methods.ts';
import { Banner } from '../../ui/components/banner.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { MessageKey, Text } from '../../ui/text/i18n.ts';
import { plainText } from '../../ui/text/plain-text.ts';
import { DEVICE_NAME_BYTES } from './pairing-message.ts';

/** What the browser's sync, or files, hold for a recovery code. */
export type Found = ResultOf<'ui.lookAtMedium'>;
type Opened = Extract<Found, { readonly outcome: 'opened' }>;

/** Why nothing was taken. */
export type Fault = Exclude<Found, Opened>['outcome'];

const FAULTS: Readonly<Record<Fault, MessageKey>> = {
  mistyped: 'arrivalMistyped',
  unreachable: 'arrivalUnreachable',
  empty: 'arrivalEmpty',
  unopened: 'arrivalUnopened',
  damaged: 'arrivalDamaged',
  late: 'arrivalLate',
  forked: 'arrivalForked',
  refused: 'arrivalRefused',
};

interface FoundFaultProps {
  readonly fault: Fault;
  readonly isByPasskey?: boolean;
  /** Those that were looked at; undefined for the browser's sync. */
  readonly files?: readonly File[] | undefined;
  /** Which of them are in the way. */
  readonly places?: readonly number[] | undefined;
}

/** One sentence about what is in the way, and of files, which. */
export function FoundFault({ fault, isByPasskey = false, files, places }: FoundFaultProps) {
  const text = useText();
  const isOfPasskey = isByPasskey && fault === 'unopened';
  const words = fault === 'empty' && files ? 'deviceFilesNone' : FAULTS[fault];
  return (
    <Banner tone="warning" id="arrival-fault">
      <p>{text.t(isOfPasskey ? 'arrivalPasskeyUnopened' : words)}</p>
      {files && places && <p>{text.t('arrivalFilesWhich', text.list(namesOf(files, places)))}</p>}
    </Banner>
  );
}

const FILE_NAME_CHARACTERS = 60;

/** When the newest was changed, as what carried it says. */
const dateOf = (files: readonly File[], text: Text): string =>
  text.moment(Math.max(...files.map(({ lastModified }) => lastModified)));

const namesOf = (files: readonly File[], places: readonly number[]): string[] =>
  places.map((at) => plainText(files[at]?.name ?? '', FILE_NAME_CHARACTERS));

interface FoundDevicesProps extends Opened {
  /** Those that were looked at; undefined for the browser's sync. */
  readonly files?: readonly File[] | undefined;
}

/** The devices whose keys a code opens, before anything is taken. */
export function FoundDevices({ members, keys, contacts, older, files }: FoundDevicesProps) {
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
      {files && <p id="arrival-files-date">{text.t('arrivalFilesDate', dateOf(files, text))}</p>}
      {files && older && <p>{text.t('arrivalFilesOlder', text.list(namesOf(files, older)))}</p>}
      <p>{text.t('arrivalFoundMore')}</p>
    </Banner>
  );
}
