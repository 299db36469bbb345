import { useText } from '../../ui/environment/environment.ts';
import type { Text } from '../../ui/text/i18n.ts';
import {
  callTable,
  type BackgroundTimes,
  type CallGroup,
  type SelfTestRun,
} from './self-test-report.ts';

/** How long single calls take: what only the background does, then a row for each call and a column for each engine. */
export function CallTimes({ run }: { readonly run: SelfTestRun }) {
  const text = useText();
  const { engines, groups } = callTable(run.calls);
  return (
    <>
      <h2>{text.t('selfTestCalls')}</h2>
      <table id="call-times">
        <caption>{text.t('selfTestCallsCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{text.t('algorithm')}</th>
            {engines.map((engine) => (
              <th key={engine} scope="col">
                {engine}
              </th>
            ))}
          </tr>
        </thead>
        {run.background && run.background !== 'failed' && (
          <TimesOfBackground times={run.background} columns={Math.max(engines.length, 1)} />
        )}
        {groups.map((group) => (
          <tbody key={group.operation}>
            <tr>
              <th scope="rowgroup" colSpan={engines.length + 1}>
                {titleOf(group, text)}
              </th>
            </tr>
            {group.rows.map(({ name, times }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {times.map((seconds, index) => (
                  <td key={engines[index]}>
                    {seconds === null ? '–' : milliseconds(seconds, text)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
}

interface TimesOfBackgroundProps {
  readonly times: Exclude<BackgroundTimes, 'failed'>;
  /** How many columns the engines have, over which the only figure of a row stands. */
  readonly columns: number;
}

function TimesOfBackground({ times, columns }: TimesOfBackgroundProps) {
  const text = useText();
  const { randomBytes, randomMicroseconds, vaultBytes, vaultMicroseconds } = times;
  const shown = (microseconds: number) => milliseconds(microseconds / 1e6, text);
  return (
    <tbody id="background-times">
      <tr>
        <th scope="row">{text.t('selfTestRandom', text.bytes(randomBytes))}</th>
        <td colSpan={columns}>{shown(randomMicroseconds)}</td>
      </tr>
      <tr>
        <th scope="row">{text.t('selfTestVault', text.bytes(vaultBytes))}</th>
        <td colSpan={columns}>
          {vaultMicroseconds === null ? text.t('selfTestVaultLocked') : shown(vaultMicroseconds)}
        </td>
      </tr>
    </tbody>
  );
}

function titleOf({ operation, bytes }: CallGroup, text: Text): string {
  switch (operation) {
    case 'decrypt':
      return text.t('selfTestDecrypt', text.bytes(bytes));
    case 'encrypt':
      return text.t('selfTestEncrypt', text.bytes(bytes));
    case 'derive':
      return text.t('selfTestDerive');
    case 'power':
      return text.t('selfTestPower');
  }
}

function milliseconds(seconds: number, text: Text): string {
  return text.number(1000 * seconds, { maximumSignificantDigits: 3 });
}
