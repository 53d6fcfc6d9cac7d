import { type HitFacts, classifyHit } from './classify-hit';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
const GMAIL_AHEAD =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0';
const OUTLOOK =
  'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Win64; x64; Microsoft Outlook 16.0.5134; ms-office)';
const YAHOO = 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html';

/** A person with a browser, an hour after the email. */
const PERSON: HitFacts = {
  kind: 'open',
  userAgent: CHROME,
  network: '192.0.2.0/24',
  head: false,
  ahead: false,
  sinceSentMs: 3_600_000,
  trapped: false,
  trapNearby: false,
  linksNearby: 0,
  links: 3,
};
const CLICK: HitFacts = { ...PERSON, kind: 'click', linksNearby: 1 };

const CASES: [what: string, facts: HitFacts, verdict: string, rule: string][] = [
  ['a person with a browser', PERSON, 'human', 'browser'],
  ['a phone', { ...PERSON, userAgent: IPHONE }, 'human', 'browser'],
  ['Outlook', { ...PERSON, userAgent: OUTLOOK }, 'human', 'mail_program'],
  ['an Android mail program', { ...PERSON, userAgent: 'okhttp/4.12.0' }, 'human', 'mail_program'],
  ['Gmail at the display of the mail', { ...PERSON, userAgent: GMAIL }, 'human', 'image_proxy'],
  ['Yahoo at the display of the mail', { ...PERSON, userAgent: YAHOO }, 'human', 'image_proxy'],
  ['Gmail before the display of the mail', { ...PERSON, userAgent: GMAIL_AHEAD }, 'prefetch', 'gmail_ahead'],
  ['Apple Mail, which loads all images', { ...PERSON, userAgent: 'Mozilla/5.0' }, 'prefetch', 'apple_proxy'],
  ['a browser that prefetches', { ...CLICK, ahead: true }, 'prefetch', 'purpose_header'],
  ['a person who follows a link', CLICK, 'human', 'browser'],
  ['a person who follows two of three links', { ...CLICK, linksNearby: 2 }, 'human', 'browser'],
  ['the only link', { ...CLICK, links: 1 }, 'human', 'browser'],
  ['three links at once', { ...CLICK, linksNearby: 3 }, 'machine', 'all_links_at_once'],
  ['three of many at once', { ...CLICK, links: 40, linksNearby: 3 }, 'machine', 'all_links_at_once'],
  ['both of two links at once', { ...CLICK, links: 2, linksNearby: 2 }, 'machine', 'all_links_at_once'],
  ['an image proxy that follows links', { ...CLICK, userAgent: GMAIL }, 'machine', 'bot_user_agent'],
  ['Apple’s user agent on a link', { ...CLICK, userAgent: 'Mozilla/5.0' }, 'machine', 'bot_user_agent'],
  ['HEAD', { ...CLICK, head: true }, 'machine', 'head'],
  ['a HEAD request for the pixel', { ...PERSON, head: true }, 'machine', 'head'],
  ['the honeypot link', { ...PERSON, kind: 'honeypot' }, 'machine', 'honeypot'],
  ['a click by a client that followed the honeypot link', { ...CLICK, trapped: true }, 'machine', 'honeypot'],
  ['an open by a client that followed the honeypot link', { ...PERSON, trapped: true }, 'machine', 'honeypot'],
  ['a click shortly after a honeypot hit', { ...CLICK, trapNearby: true }, 'machine', 'honeypot_nearby'],
  ['an open shortly after a honeypot hit', { ...PERSON, trapNearby: true }, 'human', 'browser'],
  ['an open after 1.9 s', { ...PERSON, sinceSentMs: 1_900 }, 'machine', 'too_soon'],
  ['an open after 2 s', { ...PERSON, sinceSentMs: 2_000 }, 'human', 'browser'],
  ['an open by Gmail after 1.9 s', { ...PERSON, userAgent: GMAIL, sinceSentMs: 1_900 }, 'machine', 'too_soon'],
  ['a click after 4.9 s', { ...CLICK, sinceSentMs: 4_900 }, 'machine', 'too_soon'],
  ['a click after 5 s', { ...CLICK, sinceSentMs: 5_000 }, 'human', 'browser'],
  ['an open before the handover', { ...PERSON, sinceSentMs: -1 }, 'self', 'before_sent'],
  ['no user agent', { ...PERSON, userAgent: '' }, 'unknown', 'no_user_agent'],
  ['no user agent, too soon', { ...PERSON, userAgent: '', sinceSentMs: 1 }, 'machine', 'too_soon'],
  ['no address', { ...PERSON, network: '' }, 'human', 'browser'],
  ['Barracuda', { ...CLICK, userAgent: 'Barracuda Sentinel (EE)' }, 'machine', 'scanner:barracuda'],
  ['Mimecast', { ...CLICK, userAgent: 'Mimecast URL Protect' }, 'machine', 'scanner:mimecast'],
  ['Office', { ...CLICK, userAgent: 'Microsoft Office Existence Discovery' }, 'machine', 'scanner:microsoft'],
  ['Google', { ...CLICK, userAgent: 'Google-Safety; (https://google.com)' }, 'machine', 'scanner:google'],
  ['Symantec', { ...CLICK, userAgent: 'Mozilla/5.0 (compatible; Symantec-WSS)' }, 'machine', 'scanner:symantec'],
  ['a browser in a network of Proofpoint', { ...CLICK, network: '148.163.130.0/24' }, 'machine', 'scanner:proofpoint'],
  ['a browser in a network of Microsoft', { ...CLICK, network: '2a01:111:f400::/48' }, 'machine', 'scanner:microsoft'],
  ['a browser next to that network', { ...CLICK, network: '2a01:111:f401::/48' }, 'human', 'browser'],
  ['curl', { ...CLICK, userAgent: 'curl/8.5.0' }, 'machine', 'bot_user_agent'],
  ['a headless browser', { ...CLICK, userAgent: 'HeadlessChrome/120' }, 'machine', 'bot_user_agent'],
  ['a link preview of a chat', { ...CLICK, userAgent: 'Slackbot-LinkExpanding 1.0' }, 'machine', 'bot_user_agent'],
];

describe('the verdict on a hit', () => {
  it.each(CASES)('%s', (_what, facts, verdict, rule) => {
    expect(classifyHit(facts)).toEqual({ verdict, rule });
  });
});
