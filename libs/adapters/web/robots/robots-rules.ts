import robotsParser from 'robots-parser';
import { type PageAnswer, type UnansweredReason } from '../port/web-pages.port';

/** RFC 9309, 2.5: at least 500 KiB are to be understood; what is beyond is ignored. */
export const MAX_ROBOTS_BYTES = 500 * 1024;
/** Sitemaps of one robots.txt that are looked at. */
const MAX_SITEMAPS = 3;
/** A rule is matched against each address character by character: longer ones fit none of ours (docs/users/agents.md). */
const MAX_RULE_CHARACTERS = 600;
const MAX_LINES = 20_000;
/** Each is tried at every place of each address: ten times as many as the files of large shops have take 50 ms for one. */
const MAX_WILDCARDS = 2_000;

/** What a site lets a crawler do. */
export interface RobotsRules {
  isAllowed(url: string): boolean;
  /** Milliseconds between two requests that the site asks for; null when it does not say. */
  readonly delayMs: number | null;
  readonly sitemaps: readonly string[];
  /** Why what is not allowed is not. */
  readonly refusal: 'robots' | 'robots_unavailable' | UnansweredReason;
}

const EVERYTHING: RobotsRules = { isAllowed: () => true, delayMs: null, sitemaps: [], refusal: 'robots' };

/**
 * What an answer to the question for `/robots.txt` means (RFC 9309, 2.3.1): rules when it came, everything is allowed where there is
 * none (4xx, or more than five redirects), nothing where it could not be had (5xx, no answer). 429 is read as "not now".
 * @param robotsUrl of the origin that the rules are for, which redirects do not change
 * @param agent product token of ours
 */
export function toRules(answer: PageAnswer, robotsUrl: string, agent: string): RobotsRules {
  if (answer.kind === 'unanswered') return answer.reason === 'redirects' ? EVERYTHING : nothing(answer.reason);
  const { status, body } = answer;
  if (status >= 200 && status < 300) return parseRobots(body.toString('utf8'), robotsUrl, agent);
  // A redirect that names no place is followed nowhere: there are no rules.
  const isAbsent = (status >= 300 && status < 500 && status !== 429) || status < 200;
  return isAbsent ? EVERYTHING : nothing('robots_unavailable');
}

function nothing(refusal: RobotsRules['refusal']): RobotsRules {
  return { isAllowed: () => false, delayMs: null, sitemaps: [], refusal };
}

function parseRobots(text: string, robotsUrl: string, agent: string): RobotsRules {
  const lines = toUsableRules(text);
  // What cannot be worked through in reasonable time might forbid anything.
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

/** Without a byte order mark, which would hide the first group, and runs of `*`, which mean one. */
function toUsableRules(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/, MAX_LINES)
    .filter((line) => line.length <= MAX_RULE_CHARACTERS)
    .map((line) => line.replace(/\*{2,}/g, '*'))
    .join('\n');
}
