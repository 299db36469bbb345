/* The page of plots: draws the figures that the build has written to figures.json. */
import { createBarChart, type BarChart } from '../../extension/ui/charts/bar-chart.ts';
import type { PlottedAlgorithm, PlottedRun } from '../figures.ts';

/** As many as the chart has colours. */
const MAX_CONTENDERS = 6;
const OURS = 'Sealwright';
/** Such as "Sealwright wasm-simd, fresh array": not drawn at first. */
const VARIANT = /, /;

const form = document.querySelector<HTMLFormElement>('#plot')!;
const list = (name: string) => form.elements.namedItem(name) as HTMLSelectElement;
const boxes = document.querySelector<HTMLElement>('#contenders')!;
const canvas = document.querySelector<HTMLCanvasElement>('#chart')!;
const table = document.querySelector<HTMLTableElement>('#plot-table')!;
const about = document.querySelector('#plot-about')!;

const runs = (await (await fetch(new URL('figures.json', import.meta.url))).json()) as PlottedRun[];
let drawn: BarChart | undefined;

/** Three digits: more mean nothing. */
const format = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en', { maximumFractionDigits: 6 });

function fill(select: HTMLSelectElement, names: readonly string[]): void {
  select.replaceChildren(...names.map((name, at) => new Option(name, String(at))));
}

const run = (): PlottedRun => runs[Number(list('run').value)]!;
const algorithm = (): PlottedAlgorithm => run().algorithms[Number(list('algorithm').value)]!;

/** Ours first, then as the measurement has them. */
function initial({ contenders }: PlottedAlgorithm): ReadonlySet<string> {
  const names = contenders.map(({ name }) => name).filter((name) => !VARIANT.test(name));
  const ours = names.filter((name) => name.startsWith(OURS));
  const others = names.filter((name) => !name.startsWith(OURS));
  return new Set([...ours, ...others].slice(0, MAX_CONTENDERS));
}

function offerContenders(): void {
  const chosen = initial(algorithm());
  const labels = algorithm().contenders.map(({ name }) => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.value = name;
    box.checked = chosen.has(name);
    const label = document.createElement('label');
    label.append(box, ` ${name}`);
    return label;
  });
  boxes.replaceChildren(...labels);
}

function chosenContenders(): PlottedAlgorithm['contenders'] {
  const all = [...boxes.querySelectorAll('input')];
  const chosen = new Set(all.filter(({ checked }) => checked).map(({ value }) => value));
  // No seventh can be chosen.
  for (const box of all) box.disabled = !box.checked && chosen.size >= MAX_CONTENDERS;
  return algorithm().contenders.filter(({ name }) => chosen.has(name));
}

function draw(): void {
  const { name, sizes, bytes } = algorithm();
  const hasSpeed = bytes.every((one) => one > 0);
  list('quantity').disabled = !hasSpeed;
  const isSpeed = hasSpeed && list('quantity').value === 'speed';
  const valueOf = (seconds: number | null, at: number) =>
    seconds === null ? null : isSpeed ? bytes[at]! / seconds / 1e6 : seconds * 1e6;
  const series = chosenContenders().map(({ name: contender, medians }) => ({
    name: contender,
    values: medians.map(valueOf),
  }));
  const unit = isSpeed ? 'MB/s' : 'µs';
  const hasLengths = sizes.length > 1;
  drawn?.destroy();
  canvas.parentElement!.style.blockSize = '';
  drawn = createBarChart(canvas, {
    kind: hasLengths ? 'lines' : 'rows',
    unit,
    axis: unit,
    labels: hasLengths ? [...sizes] : series.map(({ name: contender }) => contender),
    series: hasLengths ? series : [{ name, values: series.map(({ values }) => values[0] ?? null) }],
    format,
  });
  const what = `${name}, ${isSpeed ? 'speed in MB/s' : 'time of one call in µs'}`;
  canvas.setAttribute('aria-label', `${what}. The table below has the same figures.`);
  about.textContent = `${what}; ${run().about}.`;
  fillTable(sizes, series);
}

function fillTable(
  sizes: readonly string[],
  series: readonly { name: string; values: readonly (number | null)[] }[],
): void {
  const cell = (tag: 'td' | 'th', text: string, scope?: 'col' | 'row') => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (scope) made.setAttribute('scope', scope);
    else made.className = 'align-right';
    return made;
  };
  const row = (...cells: HTMLElement[]) => {
    const made = document.createElement('tr');
    made.append(...cells);
    return made;
  };
  const head = document.createElement('thead');
  const corner = cell('td', '');
  head.append(row(corner, ...sizes.map((size) => cell('th', size, 'col'))));
  const body = document.createElement('tbody');
  body.append(
    ...series.map(({ name, values }) =>
      row(
        cell('th', name, 'row'),
        ...values.map((value) => cell('td', value === null ? '–' : format(value))),
      ),
    ),
  );
  table.replaceChildren(head, body);
}

function chooseRun(): void {
  fill(
    list('algorithm'),
    run().algorithms.map(({ name }) => name),
  );
  offerContenders();
  draw();
}

fill(
  list('run'),
  runs.map(({ title }) => title),
);
list('run').addEventListener('change', chooseRun);
list('algorithm').addEventListener('change', () => {
  offerContenders();
  draw();
});
list('quantity').addEventListener('change', draw);
boxes.addEventListener('change', draw);
chooseRun();
