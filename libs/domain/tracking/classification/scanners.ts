import ipaddr from 'ipaddr.js';
import { isbot } from 'isbot';

/**
 * Programs that load images and follow links of unread emails, by their user agents. Most scanners imitate browsers; this
 * list has those that identify themselves and a few that can be recognised.
 */
const SCANNERS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['barracuda', /barracuda/i],
  ['proofpoint', /proofpoint|urldefense/i],
  ['mimecast', /mimecast/i],
  ['microsoft', /safelinks|microsoft-?urlanalyzer|existence discovery|skypeuripreview|bingpreview|ms-?defender/i],
  ['google', /google-safety|google web preview|google-?safebrowsing/i],
  ['symantec', /symantec|messagelabs|norton-?safe/i],
  ['cisco', /ironport|cisco[ -](?:talos|email|umbrella)/i],
  ['trend_micro', /trend ?micro|tmmon/i],
  ['sophos', /sophos/i],
  ['fortinet', /forti(?:mail|gate|guard|net)/i],
  ['forcepoint', /forcepoint|websense/i],
  ['trellix', /fireeye|trellix|mcafee|siteadvisor/i],
  ['checkpoint', /check ?point|avanan|harmony email/i],
  ['vade', /vade ?secure|hornetsecurity|retarus|cloudmark|spamhaus|zscaler/i],
  ['antivirus', /kaspersky|bitdefender|\beset\b|avast|f-secure|withsecure|drweb/i],
  ['reputation', /urlscan|virustotal|phishtank|netcraft|safebrowsing|link-?(?:checker|scanner|preview)/i],
];

/** Mail programs that `isbot` classifies as bots because they are no browsers. */
const MAIL_PROGRAMS =
  /outlook|ms-?office|microsoft office\/|thunderbird|apple mail|airmail|em ?client|superhuman|spark|blackberry|opera mail|postbox|mailbird|the bat|lotus-?notes|k-9|fairemail|cfnetwork|okhttp|dalvik/i;

/** Services that load images when a person opens the mail. */
const IMAGE_PROXIES = /googleimageproxy|yahoomailproxy/i;

/** User agent of Gmail's prefetch, as opposed to its image proxy. */
const GMAIL_AHEAD = /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/;

/** The whole user agent of Apple's privacy proxy. It loads every image of every mail, read or not. */
const APPLE_PROXY = 'Mozilla/5.0';

/**
 * Networks that mail security services publish for their mail servers and link scanners. The list ages; hits from a missing
 * network fall through to the other rules.
 */
const NETWORKS: readonly (readonly [name: string, networks: readonly string[]])[] = [
  ['barracuda', ['64.235.144.0/20', '209.222.80.0/21']],
  ['proofpoint', ['67.231.144.0/20', '148.163.128.0/19', '205.220.160.0/20', '208.84.64.0/22']],
  ['mimecast', ['91.220.42.0/24', '146.101.78.0/24', '185.58.84.0/22', '205.139.110.0/23', '207.211.30.0/23']],
  ['microsoft', ['40.92.0.0/15', '40.94.0.0/16', '40.107.0.0/16', '52.100.0.0/14', '104.47.0.0/17']],
  ['microsoft', ['2a01:111:f400::/48', '2a01:111:f403::/48']],
  ['symantec', ['67.219.240.0/20', '85.158.136.0/21', '193.109.254.0/23', '195.245.230.0/23', '216.82.240.0/20']],
  ['trend_micro', ['150.70.0.0/16', '216.104.0.0/19']],
];

const RANGES = NETWORKS.flatMap(([name, networks]) => networks.map((one) => [name, ipaddr.parseCIDR(one)] as const));

/** Kind of client by its user agent. */
export type Agent = 'none' | 'apple_proxy' | 'gmail_ahead' | 'image_proxy' | 'mail_program' | 'bot' | 'browser';

export function getAgent(userAgent: string): Agent {
  if (userAgent === '') return 'none';
  if (userAgent === APPLE_PROXY) return 'apple_proxy';
  if (GMAIL_AHEAD.test(userAgent)) return 'gmail_ahead';
  if (IMAGE_PROXIES.test(userAgent)) return 'image_proxy';
  if (MAIL_PROGRAMS.test(userAgent)) return 'mail_program';
  return isbot(userAgent) ? 'bot' : 'browser';
}

/** Names the known scanner with this user agent or network (`192.0.2.0/24`); null for any other client. */
export function getScanner(userAgent: string, network: string): string | null {
  return SCANNERS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? findService(network);
}

function findService(network: string): string | null {
  const address = network.split('/')[0] ?? '';
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.parse(address);
  return RANGES.find(([, [range, bits]]) => range.kind() === parsed.kind() && parsed.match(range, bits))?.[0] ?? null;
}
