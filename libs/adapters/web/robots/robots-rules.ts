import robotsParser from 'robots-parser';
import { type PageAnswer, type UnansweredReason } from '../port/web-pages.port';

/** RFC 9309, 2.5: at least 500 KiB have to be parsed; the rest is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Maximum used sitemaps of one robots.txt. */
const MAX_SITEMAPS = 3;
/** Maximum length of a rule: a longer rule matches none of our URLs (docs/users/agents.md). */
const MAX_RULE_CHARACTERS = 600;
const MAX_LINES = 20_000;
/** Maximum wildcards: each is tried at every position of a URL. Ten times those of large shops take 50 ms per URL. */
const MAX_WILDCARDS = 2_000;

/** The rules of a site for a crawler. */
export interface RobotsRules {
  isAllowed(url: string): boolean;
  /** Requested gap between two requests in milliseconds; null when not stated. */
  readonly delayMs: number | null;
  readonly sitemaps: readonly string[];
  /** The reason for a forbidden URL. */
  readonly refusal: 'robots' | 'robots_unavailable' | UnansweredReason;
}

const EVERYTHING: RobotsRules = { isAllowed: () => true, delayMs: null, sitemaps: [], refusal: 'robots' };

/**
 * Interprets the response for `/robots.txt` (RFC 9309, 2.3.1): its rules; everything is allowed without a file (4xx, or more than five
 * redirects), and nothing when it is unavailable (5xx, no response). 429 counts as unavailable.
 * @param robotsUrl URL of the origin of the rules, which redirects do not change
 * @param agent our product token
 */
export function toRules(answer: PageAnswer, robotsUrl: string, agent: string): RobotsRules {
  if (answer.kind === 'unanswered') return answer.reason === 'redirects' ? EVERYTHING : nothing(answer.reason);
  const { status, body } = answer;
  if (status >= 200 && status < 300) return parseRobots(body.toString('utf8'), robotsUrl, agent);
  // A redirect without a target cannot be followed: there are no rules.
  const isAbsent = (status >= 300 && status < 500 && status !== 429) || status < 200;
  return isAbsent ? EVERYTHING : nothing('robots_unavailable');
}

function nothing(refusal: RobotsRules['refusal']): RobotsRules {
  return { isAllowed: () => false, delayMs: null, sitemaps: [], refusal };
}

function parseRobots(text: string, robotsUrl: string, agent: string): RobotsRules {
  const lines = toUsableRules(text);
  // Rules that cannot be evaluated in reasonable time might forbid anything.
  if (lines.split('*', MAX_WILDCARDS + 2).length > MAX_WILDCARDS + 1) return nothing('robots_unavailable');
  const rules = robotsParser(robotsUrl, lines);
  const delay = rules.getCrawlDelay(agent);
  return {
    isAllowed: (url) => rules.isAllowed(url, agent) ?? false,
    delayMs: delay !== undefined && Number.isFinite(delay) && delay >= 0 ? delay * 1_000 : null,
    sitemaps: rules.getSitemaps().slice(0, MAX_SITEMAPS),
    refusal: 'robots',
  };
}

/** Removes a byte order mark, which would hide the first group, and collapses runs of `*`. */
function toUsableRules(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/, MAX_LINES)
    .filter((line) => line.length <= MAX_RULE_CHARACTERS)
    .map((line) => line.replace(/\*{2,}/g, '*'))
    .join('\n');
}
