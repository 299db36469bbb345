import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useEnvironment } from '../ui/environment/environment.ts';
import type {
  AbsentEngine,
  EngineList,
  FromWorker,
  ToWorker,
} from '../ui/environment/self-test-protocol.ts';
import type { MessageKey } from '../ui/text/i18n.ts';
import { AbsentEngines } from './self-test/known-answers.tsx';

const KNOWN: Readonly<Record<string, MessageKey>> = {
  native: 'enginesNative',
  'wasm-simd': 'enginesWasm',
  js: 'enginesJs',
};

interface Found {
  readonly list: EngineList;
  readonly absent: readonly AbsentEngine[];
}

/** Which engines compute which algorithms in this browser, and why others do not. */
export function EngineFacts() {
  const { text } = useEnvironment();
  const [isOpen, setOpen] = useState(false);
  const found = useEngineList(isOpen);
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

function Engines({ found }: { readonly found: Found }) {
  const { text } = useEnvironment();
  const { list, absent } = found;
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

/** Asks the self-test's worker, once it is wanted. @returns undefined until it has answered */
function useEngineList(isWanted: boolean): Found | undefined {
  const { startSelfTestWorker } = useEnvironment();
  const [found, setFound] = useState<Found>();
  const absent = useRef<AbsentEngine[]>([]);
  useEffect(() => {
    if (!isWanted || found) return undefined;
    const worker = startSelfTestWorker();
    absent.current = [];
    worker.addEventListener('message', ({ data }) => {
      const message = data as FromWorker;
      if (message.type === 'absent') absent.current.push(message);
      if (message.type === 'engines') setFound({ list: message, absent: absent.current });
    });
    worker.postMessage({ type: 'engines' } satisfies ToWorker);
    return () => worker.terminate();
  }, [isWanted, found]);
  return found;
}
