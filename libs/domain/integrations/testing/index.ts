export { chatConnection, chatMessage } from '../chat/testing/chat.records';
