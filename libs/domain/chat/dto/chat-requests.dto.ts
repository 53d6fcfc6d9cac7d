import {
  FlagField,
  IdField,
  IdsField,
  IntegerField,
  NameField,
  OneOfField,
  OneOfListField,
  PageQuery,
  TextField,
  TimeOfDayField,
  TimeZoneField,
  UrlField,
} from '@platform/validation';
import { CHAT_EVENTS, type ChatEvent, DEFAULT_CHAT_EVENTS } from '../chat-events';
import { CHAT_MODES, type ChatMode } from '../schemas/chat-connection.record';
import { CHAT_MESSAGE_STATES, type ChatMessageState } from '../schemas/chat-message.record';

const MAX_URL = 500;
const MAX_CAMPAIGNS = 100;
const LEAST_MINUTES = 5;
const MOST_MINUTES = 1_440;
/** Longer than any cursor of Slack. */
const MAX_CURSOR = 500;

/** All settings: omitted ones get their default, except secret, team and channel, which stay. */
export class SetSlackRequest {
  @UrlField({
    max: MAX_URL,
    optional: true,
    about: 'An incoming webhook of Slack, which posts to one channel. It replaces a consent, and is never shown again.',
  })
  webhookUrl?: string;

  @NameField({
    optional: true,
    about: 'Name of the Slack workspace; only for a webhook, for which Slack does not report it.',
  })
  teamName?: string;

  @IdField({
    optional: true,
    about: 'The channel to post in, after a consent: one of GET /v1/integrations/slack/channels.',
  })
  channelId?: string;

  @OneOfListField(CHAT_EVENTS, { optional: true, about: `Events to post. Default: ${DEFAULT_CHAT_EVENTS.join(', ')}.` })
  events: ChatEvent[] = [...DEFAULT_CHAT_EVENTS];

  @IdsField({
    max: MAX_CAMPAIGNS,
    of: 'campaign',
    optional: true,
    about: 'Events of other campaigns are not posted. Default: events of all campaigns are.',
  })
  campaignIds: string[] = [];

  @OneOfField(CHAT_MODES, {
    optional: true,
    about:
      'instant: at once, more than five waiting ones in one message; digest: in one message at set times. Default: instant.',
  })
  mode: ChatMode = 'instant';

  @IntegerField({
    min: LEAST_MINUTES,
    max: MOST_MINUTES,
    optional: true,
    about: 'Interval of digests in minutes from the beginning of the day. Default, without timeOfDay: 60.',
  })
  everyMinutes?: number;

  @TimeOfDayField({ optional: true, about: 'Of a digest: once a day, then. Not together with everyMinutes.' })
  timeOfDay?: string;

  @TimeZoneField({ optional: true, about: 'Of times and digests. Default: UTC.' })
  timezone: string = 'UTC';

  @FlagField({
    optional: true,
    about: 'false: nothing is posted any more; waiting messages are kept for seven days. Default: true.',
  })
  enabled: boolean = true;
}

export class SlackChannelsQuery {
  @TextField({ max: MAX_CURSOR, optional: true, about: 'The `nextCursor` of the page before.' })
  cursor?: string;
}

export class SlackMessagesQuery extends PageQuery {
  @OneOfField(CHAT_MESSAGE_STATES, { optional: true, about: 'Only those of this state.' })
  state?: ChatMessageState;
}
