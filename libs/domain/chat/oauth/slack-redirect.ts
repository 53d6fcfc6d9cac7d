/** Where Slack sends people back to; it has to be registered there. */
export function getSlackRedirectUri(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/oauth/chat/slack/callback`;
}
