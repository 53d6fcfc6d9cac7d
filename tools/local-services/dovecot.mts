const TEMPLATE = `dovecot_config_version = 2.4.1
dovecot_storage_version = 2.4.1
protocols = imap
base_dir = /data/run
state_dir = /data/run/state
log_path = /data/dovecot.log
ssl = no
auth_allow_cleartext = yes
default_internal_user = service
default_internal_group = service
default_login_user = service
mail_uid = 999
mail_gid = 999
first_valid_uid = 999
mail_driver = maildir
mail_home = /data/mail/%{user | lower}
mail_path = %{home}/Maildir
mailbox_list_layout = fs
passdb static {
  password = secret
}
userdb static {
  fields {
    uid = 999
    gid = 999
    home = /data/mail/%{user | lower}
  }
}
namespace inbox {
  inbox = yes
  mailbox Sent { 
    special_use = \\Sent
    auto = subscribe
  }
  mailbox Junk {
    special_use = \\Junk
    auto = subscribe
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    listen = 127.0.0.1
    port = PORT
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
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
  process_limit = 512
}
`;

/** Dovecot for tests: any user name with the password "secret", one Maildir per user, no root, no TLS. */
export function dovecotConfiguration(port: number): string {
  return TEMPLATE.replace('PORT', String(port));
}
