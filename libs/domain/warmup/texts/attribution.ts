import { localOf } from '@platform/time';
import { type WarmupLanguage } from '../schemas/warmup.record';
import { type Correspondent } from './first.name';

/** Short names as mail programs write them, Monday and January first. */
interface Calendar {
  readonly days: readonly string[];
  readonly months: readonly string[];
}

interface Moment {
  /** Short name of the weekday. */
  readonly weekday: string;
  readonly day: number;
  /** Short name. */
  readonly month: string;
  readonly year: string;
  /** HH:MM, 24 hours. */
  readonly clock: string;
}

const CALENDARS: Readonly<Record<WarmupLanguage, Calendar>> = {
  en: calendar('Mon Tue Wed Thu Fri Sat Sun', 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'),
  de: calendar('Mo. Di. Mi. Do. Fr. Sa. So.', 'Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.'),
  fr: calendar('lun. mar. mer. jeu. ven. sam. dim.', 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'),
  es: calendar('lun mar mié jue vie sáb dom', 'ene feb mar abr may jun jul ago sept oct nov dic'),
  pt: calendar('seg. ter. qua. qui. sex. sáb. dom.', 'jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.'),
  nl: calendar('ma di wo do vr za zo', 'jan feb mrt apr mei jun jul aug sep okt nov dec'),
  it: calendar('lun mar mer gio ven sab dom', 'gen feb mar apr mag giu lug ago set ott nov dic'),
};

const LINES: Readonly<Record<WarmupLanguage, (who: string, at: Moment) => string>> = {
  en: (who, { weekday, day, month, year, clock }) =>
    `On ${weekday}, ${month} ${day}, ${year} at ${twelveHours(clock)} ${who} wrote:`,
  de: (who, { weekday, day, month, year, clock }) =>
    `Am ${weekday}, ${day}. ${month} ${year} um ${clock} Uhr schrieb ${who}:`,
  fr: (who, { weekday, day, month, year, clock }) =>
    `Le ${weekday} ${day} ${month} ${year} à ${clock}, ${who} a écrit :`,
  es: (who, { weekday, day, month, year, clock }) =>
    `El ${weekday}, ${day} ${month} ${year} a las ${clock}, ${who} escribió:`,
  pt: (who, { weekday, day, month, year, clock }) =>
    `Em ${weekday}, ${day} de ${month} de ${year} às ${clock}, ${who} escreveu:`,
  nl: (who, { weekday, day, month, year, clock }) =>
    `Op ${weekday} ${day} ${month} ${year} om ${clock} schreef ${who}:`,
  it: (who, { weekday, day, month, year, clock }) =>
    `Il giorno ${weekday} ${day} ${month} ${year} alle ore ${clock} ${who} ha scritto:`,
};

/** The line that mail programs put above a quote, in the reader's language and zone: `On Thu, Nov 19, 2026 at … wrote:`. */
export function attributionLine(language: WarmupLanguage, from: Correspondent, at: Date, zone: string): string {
  const { day: date, time, weekday } = localOf(at, zone);
  const [year = '', month = '', day = ''] = date.split('-');
  const { days, months } = CALENDARS[language];
  return LINES[language](who(from), {
    weekday: days[weekday - 1] ?? '',
    day: Number(day),
    month: months[Number(month) - 1] ?? '',
    year,
    clock: time.slice(0, 5),
  });
}

function who({ displayName, address }: Correspondent): string {
  const name = (displayName ?? '').replace(/[\p{Cc}\p{Zl}\p{Zp}\s"<>]+/gu, ' ').trim();
  return name === '' ? `<${address}>` : `${name} <${address}>`;
}

function twelveHours(clock: string): string {
  const hour = Number(clock.slice(0, 2));
  return `${hour % 12 || 12}${clock.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}

function calendar(days: string, months: string): Calendar {
  return { days: days.split(' '), months: months.split(' ') };
}
