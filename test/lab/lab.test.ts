import { expect } from 'chai';
import { runLab, type LabOptions } from '../../lab/lab.ts';
import { WORK_IDS, type WorkId } from '../../lab/printed/table.ts';
import { sampleOf, type LabEvent, type LabResult } from '../../lab/result.ts';
import { iterationsOf, sizesOf } from '../../lab/runs/tarr.ts';
import type { MakeTrial } from '../../lab/runs/trial.ts';
import { loadWasm } from '../support/wasm.ts';

/** One time of each is enough to see what is measured. */
const ONCE = { rounds: 1, minimumMs: 0 };

async function eventsOf(options: Partial<LabOptions>): Promise<LabEvent[]> {
  const events: LabEvent[] = [];
  const all: LabOptions = { work: 'stark', mode: 'quick', loadWasm, durations: ONCE, ...options };
  for await (const event of runLab(all)) events.push(event);
  return events;
}

async function resultOf(options: Partial<LabOptions>): Promise<LabResult> {
  const last = (await eventsOf(options)).at(-1)!;
  if (last.type !== 'finished') throw new Error(`the run ended with ${last.type}`);
  return last.result;
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.of(...values);

describe('the Lab', () => {
  for (const work of WORK_IDS) {
    it(`measures ${work}, and every answer is confirmed`, async function () {
      this.timeout(120_000);
      const { samples, ...rest } = await resultOf({ work });
      expect(rest).to.deep.include({ work, mode: 'quick' });
      expect(samples).to.not.be.empty;
      expect(samples.filter(({ confirmedBy }) => confirmedBy.length === 0)).to.deep.equal([]);
      for (const sample of samples) {
        expect(sample.seconds).to.be.a('number').and.not.be.below(0);
        expect(sample.rounds).to.have.lengthOf(1);
      }
      expect(JSON.parse(JSON.stringify(samples))).to.deep.equal(samples);
    });
  }

  it('reports its progress, and the result at the end', async () => {
    const trial: MakeTrial = () => Promise.resolve({ size: 1, calls: [] });
    const events = await eventsOf({ trials: [trial, trial] });
    expect(
      events.map((event) => (event.type === 'progress' ? event.done : event.type)),
    ).to.deep.equal([0, 1, 2, 'finished']);
  });

  it('measures nothing of engines that disagree', async () => {
    const call = { task: 'AES', amount: 1 };
    let runs = 0;
    const trial: MakeTrial = () =>
      Promise.resolve({
        size: 16,
        calls: [
          { ...call, engine: 'js', run: () => bytes(1) },
          { ...call, engine: 'wasm-simd', run: () => bytes((runs += 1) + 1) },
        ],
      });
    const error = await eventsOf({ trials: [trial] }).catch((reason: unknown) => reason);
    expect(String(error)).to.equal('Error: AES, 16: js and wasm-simd disagree');
    expect(runs).to.equal(1);
  });

  it('says of an engine without another that no other has confirmed it', async () => {
    const trial: MakeTrial = () =>
      Promise.resolve({
        size: 16,
        calls: [{ task: 'AES', amount: 1, engine: 'js', run: () => bytes(1) }],
      });
    const { samples } = await resultOf({ trials: [trial] });
    expect(samples[0]!.confirmedBy).to.deep.equal([]);
  });

  it('measures lengths and iterations evenly on a logarithmic axis, up to those of 2014', () => {
    expect(sizesOf('full')).to.have.lengthOf(22);
    expect(sizesOf('full').at(-1)).to.equal(10_000_000);
    expect(iterationsOf('full').at(-1)).to.equal(10_000);
    expect(sizesOf('quick').slice(0, 3)).to.deep.equal([1, 5, 22]);
  });

  it('finds a sample by task, size and engine', async () => {
    const work: WorkId = 'pomcor';
    const { samples } = await resultOf({ work });
    expect(sampleOf(samples, 'RSA by CRT, 112', 1024, 'js')?.amount).to.equal(1);
    expect(sampleOf(samples, 'RSA by CRT, 256', 7680, 'js')).to.equal(undefined);
  });
});
