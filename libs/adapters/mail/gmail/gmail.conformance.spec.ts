import { describeMailDriver } from '../conformance/mail.conformance';
import { GMAIL_TRAITS, openGmailWorld } from './testing/gmail.world';

describeMailDriver('Gmail', openGmailWorld, GMAIL_TRAITS);
