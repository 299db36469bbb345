import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { useText } from '../ui/environment/environment.ts';
import { useQuery } from '../ui/hooks/use-query.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { AbsentEngines } from './self-test/known-answers.tsx';
import { useEngineList, type FoundEngines } from './use-engine-list.ts';

const KNOWN: Readonly<Record<string, MessageKey>> = {
  native: 'enginesNative',
  'wasm-simd': 'enginesWasm',
  js: 'enginesJs',
};

/** Which engines compute which algorithms in this browser, and why others do not. */
export function EngineFacts() {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery('ui.graphicsCard', {});
  const found = useEngineList(isOpen && data !== undefined, data?.on === true);
  return (
    <details id="engines" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.t('aboutEngines')}</summary>
      <div class="stack">
        <p>{text.t('enginesLead')}</p>
        {found && <Engines found={found} />}
      </div>
    </details>
  );
}

function Engines({ found }: { readonly found: FoundEngines }) {
  const text = useText();
  const { absent, ...list } = found;
  return (
    <>
      <dl class="facts" id="engine-names">
        {list.engines.map((engine) => (
          <Fragment key={engine}>
            <dt>{engine}</dt>
            <dd>{Object.hasOwn(KNOWN, engine) && text.t(KNOWN[engine]!)}</dd>
          </Fragment>
        ))}
      </dl>
      {absent.length > 0 && <AbsentEngines engines={absent} />}
      <table id="engines-by-algorithm">
        <caption>{text.t('enginesOrder')}</caption>
        <thead>
          <tr>
            <th scope="col">{text.t('algorithm')}</th>
            <th scope="col">{text.t('aboutEngines')}</th>
          </tr>
        </thead>
        <tbody>
          {list.rows.map(({ algorithm, engines }) => (
            <tr key={algorithm}>
              <th scope="row">{algorithm}</th>
              <td>{text.list(engines)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
