import { expect } from 'chai';
import {
  formatBytes,
  formatDay,
  formatDuration,
  formatRelative,
  startOfDay,
} from '../../../../extension/ui/text/format.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('formatDuration', () => {
  for (const [ms, words] of [
    [0, '0 seconds'],
    [1000, '1 second'],
    [59_000, '59 seconds'],
    [MINUTE, '1 minute'],
    [15 * MINUTE, '15 minutes'],
    [HOUR, '1 hour'],
    [23 * HOUR, '23 hours'],
    [DAY, '1 day'],
    [30 * DAY, '30 days'],
    [365.2425 * DAY, '1 year'],
  ] as const) {
    it(`writes ${ms} ms as ${words}`, () => {
      expect(formatDuration(ms, 'en')).to.equal(words);
    });
  }

  it('formats for German and Chinese', () => {
    expect(formatDuration(2 * HOUR, 'de')).to.equal('2 Stunden');
    expect(formatDuration(2 * HOUR, 'zh-CN')).to.equal('2小时');
  });
});

describe('formatRelative', () => {
  it('distinguishes past and future', () => {
    expect(formatRelative(3 * HOUR, 'en')).to.equal('in 3 hours');
    expect(formatRelative(-5 * MINUTE, 'en')).to.equal('5 minutes ago');
  });

  it('uses yesterday and now', () => {
    expect(formatRelative(-DAY, 'en')).to.equal('yesterday');
    expect(formatRelative(0, 'en')).to.equal('now');
  });
});

describe('formatBytes', () => {
  for (const [bytes, words] of [
    [0, '0 B'],
    [16, '16 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [65_536, '64 KiB'],
    [1024 * 1024 - 1, '1 MiB'],
    [1024 * 1024, '1 MiB'],
    [5 * 1024 ** 3, '5 GiB'],
    [3 * 1024 ** 5, '3,072 TiB'],
  ] as const) {
    it(`writes ${bytes} as ${words}`, () => {
      expect(formatBytes(bytes, 'en').replace('\u00a0', ' ')).to.equal(words);
    });
  }

  it('uses the decimal separator of the language', () => {
    expect(formatBytes(1536, 'de')).to.equal('1,5\u00a0KiB');
  });
});

describe('formatDay', () => {
  const noon = (day: number) => new Date(2026, 10, day, 12).getTime();

  it('uses today and yesterday by the calendar day', () => {
    const justAfterMidnight = new Date(2026, 10, 21, 0, 1).getTime();
    const justBefore = new Date(2026, 10, 20, 23, 59).getTime();
    expect(formatDay(justAfterMidnight, noon(21), 'en')).to.equal('today');
    expect(formatDay(justBefore, justAfterMidnight, 'en')).to.equal('yesterday');
    expect(startOfDay(justBefore)).to.equal(startOfDay(noon(20)));
  });

  it('names earlier days, with the year if it differs', () => {
    expect(formatDay(noon(16), noon(21), 'en')).to.equal('Monday, November 16');
    expect(formatDay(new Date(2025, 0, 2, 12).getTime(), noon(21), 'en')).to.include('2025');
    expect(formatDay(noon(20), noon(21), 'de')).to.equal('gestern');
  });
});
