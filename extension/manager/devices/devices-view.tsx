import type { UiMedium } from '../../../src/rpc/methods/ui-devices.ts';
import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { TextField } from '../../ui/components/forms/text-field.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useDraft } from '../../ui/hooks/use-draft.ts';
import { isPending, useQuery } from '../../ui/hooks/use-query.ts';
import { BrowserSync } from './browser-sync.tsx';
import { DeviceFiles } from './device-files.tsx';
import { useKeptFolder } from './device-folder.tsx';
import { GiveKeys } from './give-keys.tsx';
import { JoinDevice } from './join-device.tsx';
import { Members } from './members.tsx';
import { RemovedDevices } from './removed-devices.tsx';
import { DEVICE_NAME_BYTES, fittingName, suggestedName } from './pairing-message.ts';

/** How the recovery code stands, unless the exchange through the browser's sync says so. */
const codeOf = (medium: UiMedium | null | undefined): UiMedium['code'] | undefined =>
  medium?.isOn ? undefined : medium?.code;

/** Brings the keys of one browser to another one of the same person (docs/design/devices.md). */
export function DevicesView({ onChange }: { readonly onChange: () => Promise<void> }) {
  const text = useText();
  const [members, medium] = [useQuery('ui.members', {}), useQuery('ui.medium', {})];
  const removed = useQuery('ui.removedDevices', {});
  const files = useQuery('ui.deviceFiles', {});
  const queries = [members, medium, removed, files];
  const folder = useKeptFolder();
  const reload = async () => {
    await Promise.all([...queries.map((query) => query.reload()), onChange()]);
  };
  const suggested = suggestedName(navigator.userAgent);
  const [typed, setTyped] = useDraft('device-name', suggested);
  const name = fittingName(typed);
  return (
    <View title={text.t('devicesTitle')}>
      <p class="muted">{text.t('devicesLead')}</p>
      <ErrorBanner error={queries.find(({ error }) => error !== undefined)?.error} />
      {queries.some(isPending) || folder === undefined ? (
        <Loading />
      ) : (
        <>
          <Members {...members} isExchanging={medium.data?.isOn ?? false} reload={reload} />
          <RemovedDevices {...removed} />
          <BrowserSync {...medium} reload={reload} />
          <TextField
            id="device-name"
            label={text.t('deviceName')}
            maxLength={DEVICE_NAME_BYTES}
            value={typed}
            onInput={setTyped}
          />
          <GiveKeys deviceName={name || suggested} onGiven={reload} />
          <JoinDevice deviceName={name || suggested} onJoined={reload} />
          <DeviceFiles {...files} folder={folder} code={codeOf(medium.data)} reload={reload} />
        </>
      )}
    </View>
  );
}
