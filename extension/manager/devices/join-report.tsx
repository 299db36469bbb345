import type { UiJoining } from '../../../src/rpc/methods/ui-devices.ts';
import { useText } from '../../ui/environment/environment.ts';
import { useFirstFocus } from '../../ui/hooks/use-focus.ts';

/** What the user has to know before this browser takes the keys of another device. */
export function JoinReport({ joining }: { readonly joining: UiJoining }) {
  const text = useText();
  const lead = useFirstFocus<HTMLHeadingElement>();
  const { name, anew, changedSince, forgotten, leaves } = joining;
  const origins = [...anew.here, ...anew.there].sort();
  return (
    <>
      <h3 id="device-take-title" tabIndex={-1} ref={lead}>
        {text.t('deviceTakeTitle', name)}
      </h3>
      {origins.length === 0 ? (
        <p>{text.t('deviceAnewNone')}</p>
      ) : (
        <>
          <p id="device-anew">{text.t('deviceAnew', origins.length)}</p>
          <ul class="plain-list">
            {origins.map((origin) => (
              <li key={origin}>
                <bdi dir="ltr">{origin}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
      {leaves.length > 0 && <p id="device-leaves">{text.t('deviceLeaves', text.list(leaves))}</p>}
      {changedSince > 0 && <p>{text.t('deviceBack', changedSince)}</p>}
      {forgotten > 0 && <p>{text.t('deviceForgotten', forgotten)}</p>}
    </>
  );
}
