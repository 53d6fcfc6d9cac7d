import { getLocal } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { type Correspondent } from './first-name';
import { getTextLibrary } from './text-library';

/** Creates the line above a quote, in the reader's language and zone: `On Thu, Nov 19, 2026 at … wrote:`. */
export function createAttribution(language: WarmupLanguage, from: Correspondent, at: Date, zone: string): string {
  const { day: date, time, weekday } = getLocal(at, zone);
  const [year = '', month = '', day = ''] = date.split('-');
  const { line, clock, days, months } = getTextLibrary(language).traits.attribution;
  const hours = time.slice(0, 5);
  const values: Readonly<Record<string, string>> = {
    who: describeSender(from),
    weekday: days[weekday - 1] ?? '',
    day: String(Number(day)),
    month: months[Number(month) - 1] ?? '',
    year,
    clock: clock === 12 ? toTwelveHours(hours) : hours,
  };
  // One pass, so that nothing in a name is taken for a placeholder.
  return line.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function describeSender({ displayName, address }: Correspondent): string {
  const name = (displayName ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\s"<>]+/gu, ' ').trim();
  return name === '' ? `<${address}>` : `${name} <${address}>`;
}

function toTwelveHours(clock: string): string {
  const hour = Number(clock.slice(0, 2));
  return `${hour % 12 || 12}${clock.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}
