import { ErrorBanner } from '../../ui/components/banner.tsx';
import { Loading } from '../../ui/components/loading.tsx';
import { View } from '../../ui/components/view.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { usePasskeys } from '../../ui/hooks/use-passkeys.ts';
import { useQuery } from '../../ui/hooks/use-query.ts';
import { ChangePassphrase } from './change-passphrase.tsx';
import { Passkey } from './passkey.tsx';
import { Recalibrate } from './recalibrate.tsx';
import { SlotRow } from './slot-row.tsx';

interface SecurityViewProps {
  readonly onPassphraseChanged: () => void;
}

/** The ways to unlock the vault, and the forms that change them. */
export function SecurityView({ onPassphraseChanged }: SecurityViewProps) {
  const text = useText();
  const { data, error, reload } = useQuery('ui.slots', {});
  // Which forms there are is known before any is shown: none moves while another is pressed.
  const access = usePasskeys();
  return (
    <View title={text.t('securityTitle')}>
      <p class="muted">{text.t('securityLead')}</p>
      <ErrorBanner error={error} />
      {(!data || access === undefined) && error === undefined && <Loading />}
      {data && access !== undefined && (
        <>
          <ul class="rows" id="slots">
            {data.map((slot) => (
              <SlotRow key={slot.id} slot={slot} onChange={reload} />
            ))}
          </ul>
          <Recalibrate slots={data} onChange={reload} />
          <Passkey access={access} onChange={reload} />
          <ChangePassphrase
            slots={data}
            onChange={() => {
              onPassphraseChanged();
              return reload();
            }}
          />
        </>
      )}
    </View>
  );
}
