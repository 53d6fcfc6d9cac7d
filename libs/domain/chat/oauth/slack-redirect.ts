/** The redirect URI, which has to be registered at Slack. */
export function getSlackRedirectUri(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/oauth/chat/slack/callback`;
}
