/** Where Slack sends people back to; it has to be registered there. */
export function slackRedirectUri(publicUrl: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/oauth/chat/slack/callback`;
}
