export interface ImapSettings {
  /** Plain with STARTTLS. */
  port: number;
  /** TLS from the first byte. */
  tlsPort: number;
  /** Reports whether a bearer token is valid: JSON `{"active": true, "username": ...}`. */
  introspectionUrl: string;
  /** Paths inside the server. */
  certificate: string;
  key: string;
}

const SPECIAL_USE = ['Sent', 'Drafts', 'Trash', 'Junk', 'Archive'];

const folders = SPECIAL_USE.map(
  (name) => `  mailbox ${name} {
    special_use = \\${name}
    auto = subscribe
  }`,
).join('\n');

const listener = (name: string, port: number): string => `  inet_listener ${name} {
    listen = 127.0.0.1
    port = ${port}
  }`;

/**
 * Dovecot for tests: any user name with the password "sandbox-password" or a token that the introspection address reports as active,
 * one Maildir per user, no root.
 *
 * An IMAP process serves 40 connections: with one each, 1 000 of them take 1.5 GB, and beyond 128 the kernel's limit on
 * inotify instances makes IDLE notice new mail half a minute late.
 */
export function dovecotConfiguration(settings: ImapSettings): string {
  return `${HEAD}
ssl = yes
ssl_server_cert_file = ${settings.certificate}
ssl_server_key_file = ${settings.key}
oauth2 {
  introspection_mode = auth
  introspection_url = ${settings.introspectionUrl}
  active_attribute = active
  active_value = true
  # The introspection does not learn who asks: any user name goes with a good token.
  username_attribute = username
  username_validation_format = %{event:user}
}
namespace inbox {
  inbox = yes
${folders}
}
service imap-login {
  chroot =
  process_limit = 2
  process_min_avail = 1
  restart_request_count = unlimited
  client_limit = 6000
${listener('imap', settings.port)}
${listener('imaps', settings.tlsPort)}
}
${SERVICES}`;
}

const HEAD = `dovecot_config_version = 2.4.1
dovecot_storage_version = 2.4.1
protocols = imap
base_dir = /data/run
state_dir = /data/run/state
log_path = /dev/stderr
auth_allow_cleartext = yes
auth_mechanisms = plain login xoauth2 oauthbearer
auth_username_chars = abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@+=
auth_failure_delay = 0
default_internal_user = service
default_internal_group = service
default_login_user = service
default_client_limit = 6000
mail_uid = 999
mail_gid = 999
first_valid_uid = 999
mail_driver = maildir
mail_home = /data/mail/%{user | lower}
mail_path = %{home}/Maildir
mailbox_list_layout = fs
mailbox_idle_check_interval = 5 secs
mail_fsync = never
mail_max_userip_connections = 6000
imap_hibernate_timeout = 0
passdb static {
  password = sandbox-password
}
userdb static {
  fields {
    uid = 999
    gid = 999
    home = /data/mail/%{user | lower}
  }
}`;

const SERVICES = `service anvil {
  chroot =
  # No growing pauses for an address that gives wrong passwords: here every client is 127.0.0.1.
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
service auth {
  user = service
}
service auth-worker {
  user = service
}
service imap {
  process_limit = 150
  client_limit = 40
  restart_request_count = unlimited
}
`;
