import { useEffect, useState } from 'preact/hooks';
import { watchKeyboard } from '../../platform/entropy/keyboard-source.ts';
import { watchPointer } from '../../platform/entropy/pointer-source.ts';
import { SampleBatch } from '../../platform/entropy/sample-batch.ts';
import { useEnvironment } from '../../ui/environment/environment.ts';
import type { EntropyState } from '../../ui/environment/ui-client.ts';

const SEND_EVERY_MS = 120;

/** The generator's state, while this page's pointer and keyboard feed it. */
export function useEntropy(): { state: EntropyState | undefined; error: unknown } {
  const { ui } = useEnvironment();
  const [state, setState] = useState<EntropyState>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let wanted = true;
    const show = (next: Promise<EntropyState>) =>
      next.then(
        (entropy) => wanted && setState(entropy),
        (problem: unknown) => wanted && setError(problem),
      );
    const sources = {
      pointer: { batch: new SampleBatch(), watch: watchPointer },
      keyboard: { batch: new SampleBatch(), watch: watchKeyboard },
    };
    const stops = Object.values(sources).map(({ batch, watch }) => watch(document, batch));
    const send = async (source: keyof typeof sources) => {
      const { batch } = sources[source];
      if (batch.count === 0) return;
      const samples = await batch.takeHashed();
      await show(ui.call('ui.addEntropy', { source, samples }));
    };
    const timer = setInterval(() => {
      void send('pointer');
      void send('keyboard');
    }, SEND_EVERY_MS);
    void show(ui.call('ui.entropy', {}));
    return () => {
      wanted = false;
      clearInterval(timer);
      stops.forEach((stop) => stop());
    };
  }, [ui]);
  return { state, error };
}
