const MAX_URL = 2_048;
const MAX_NAME = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The host name of a website from its address or domain: lower case, international names as A-labels, without a
 * trailing dot. Null for other schemes than http and https, user names, ports, IP addresses and names without a dot.
 * The part after the host is ignored. Whether it may be contacted is checked with each request.
 */
export function parseWebsiteHost(text: string): string | null {
  const trimmed = text.trim();
  // URL parsers drop line ends and tabs silently.
  if (trimmed === '' || trimmed.length > MAX_URL || /[\s\p{Cc}\p{Cf}\\]/u.test(trimmed)) return null;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { hostname, username, password, port } = new URL(address);
  if (username !== '' || password !== '' || port !== '') return null;
  const name = hostname.replace(/\.$/, '');
  const labels = name.split('.');
  const isNamed = name.length <= MAX_NAME && labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isNamed && !/^\d+$/.test(labels.at(-1) ?? '') ? name : null;
}
