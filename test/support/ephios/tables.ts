/** The tables of ephios that an import reads; `?` marks nullable columns. */
export const EPHIOS_TABLES: Record<string, string> = {
  abstractparticipation:
    'id bigint, state int, shift_id bigint, polymorphic_ctype_id int?, structure_data jsonb, finished boolean, ' +
    'individual_end_time timestamptz?, individual_start_time timestamptz?',
  api_accesstoken:
    'id bigint, token text, expires timestamptz?, scope text, created timestamptz, updated timestamptz, ' +
    'application_id bigint?, id_token_id bigint?, source_refresh_token_id bigint?, user_id bigint?, ' +
    'description varchar(1000), revoked boolean?, token_checksum varchar(64)',
  api_application:
    'id bigint, client_id varchar(100), redirect_uris text, client_type varchar(32), authorization_grant_type varchar(44), ' +
    'client_secret varchar(255), name varchar(255), skip_authorization boolean, created timestamptz, updated timestamptz, ' +
    'algorithm varchar(5), user_id bigint?, post_logout_redirect_uris text, allowed_origins text, ' +
    'hash_client_secret boolean',
  api_grant:
    'id bigint, code varchar(255), expires timestamptz, redirect_uri text, scope text, created timestamptz, ' +
    'updated timestamptz, code_challenge varchar(128), code_challenge_method varchar(10), nonce varchar(255), claims text, ' +
    'application_id bigint, user_id bigint',
  api_refreshtoken:
    'id bigint, token varchar(255), created timestamptz, updated timestamptz, revoked timestamptz?, access_token_id bigint?, ' +
    'application_id bigint, user_id bigint, token_family uuid?',
  auth_group: 'id int, name varchar(150)',
  auth_group_permissions: 'id bigint, group_id int, permission_id int',
  auth_permission: 'id int, name varchar(255), content_type_id int, codename varchar(100)',
  complexsignup_blockcomposition:
    'id bigint, optional boolean, composite_block_id bigint, sub_block_id bigint, label varchar(255)',
  complexsignup_blockqualificationrequirement: 'id bigint, everyone boolean, at_least smallint, block_id bigint',
  complexsignup_blockqualificationrequirement_qualifications:
    'id bigint, blockqualificationrequirement_id bigint, qualification_id bigint',
  complexsignup_buildingblock: 'id bigint, uuid uuid, name varchar(255), block_type varchar(64), allow_more boolean',
  complexsignup_position: 'id bigint, label varchar(255), optional boolean, block_id bigint',
  complexsignup_position_qualifications: 'id bigint, position_id bigint, qualification_id bigint',
  consequence: 'id bigint, slug varchar(255), data jsonb, state text, user_id bigint?',
  core_identityprovider:
    'id bigint, label varchar(255), client_id varchar(255), client_secret varchar(255), scopes varchar(255), ' +
    'authorization_endpoint varchar(200), token_endpoint varchar(200), userinfo_endpoint varchar(200), ' +
    'end_session_endpoint varchar(200)?, jwks_uri varchar(200)?, create_missing_groups boolean, group_claim varchar(254), ' +
    'internal_name varchar(255), qualification_claim varchar(254), qualification_codename_to_uuid jsonb',
  core_identityprovider_default_groups: 'id bigint, identityprovider_id bigint, group_id int',
  core_notification:
    'id bigint, slug varchar(255), data jsonb, user_id bigint?, created_at timestamptz, processed_by jsonb, ' +
    'processing_completed boolean, read boolean',
  core_participationcomment:
    'id bigint, visible_for int, text varchar(255), authored_by_responsible_id bigint?, created_at timestamptz, ' +
    'participation_id bigint',
  core_placeholderparticipation: 'abstractparticipation_ptr_id bigint, display_name varchar(254)',
  django_content_type: 'id int, app_label varchar(100), model varchar(100)',
  dynamic_preferences_globalpreferencemodel: 'id int, section varchar(150)?, name varchar(150), raw_value text?',
  event: 'id bigint, title varchar(254), description text?, location varchar(254), type_id bigint, active boolean',
  eventautoqualification_eventautoqualificationconfiguration:
    'id bigint, expiration_date timestamptz?, mode int, extend_only boolean, needs_confirmation boolean, event_id bigint, ' +
    'qualification_id bigint',
  eventtype: 'id bigint, title varchar(254), color varchar(7), show_participant_data smallint, default_description text?',
  eventtypepreference: 'id bigint, section varchar(150)?, name varchar(150), raw_value text?, instance_id bigint',
  federation_federatedeventshare: 'id bigint, event_id bigint',
  federation_federatedeventshare_shared_with: 'id bigint, federatedeventshare_id bigint, federatedguest_id bigint',
  federation_federatedguest:
    'id bigint, name varchar(255), url varchar(200), client_id varchar(255), client_secret varchar(255), ' +
    'access_token_id bigint',
  federation_federatedhost:
    'id bigint, name varchar(255), url varchar(200), access_token varchar(255), oauth_application_id bigint',
  federation_federatedparticipation: 'abstractparticipation_ptr_id bigint, federated_user_id bigint',
  federation_federateduser:
    'id bigint, email varchar(254), date_of_birth date?, phone varchar(254), created_at timestamptz, ' +
    'federated_instance_id bigint, display_name varchar(254)',
  federation_federateduser_qualifications: 'id bigint, federateduser_id bigint, qualification_id bigint',
  federation_invitecode: 'id bigint, code varchar(255), url varchar(200), created_at timestamptz',
  files_document: 'id bigint, title varchar(255), file varchar(100), updated_at timestamptz, uploader_id bigint',
  files_document_attached_to: 'id bigint, document_id bigint, event_id bigint',
  guardian_groupobjectpermission: 'id int, object_pk varchar(255), content_type_id int, group_id int, permission_id int',
  guardian_userobjectpermission: 'id int, object_pk varchar(255), content_type_id int, permission_id int, user_id bigint',
  guests_eventguestshare: 'id bigint, token varchar(254), active boolean, event_id bigint',
  guests_guestparticipation: 'abstractparticipation_ptr_id bigint, guest_user_id bigint',
  guests_guestuser:
    'id bigint, email varchar(254), date_of_birth date, phone varchar(254), access_token varchar(254), ' +
    'created_at timestamptz, event_id bigint, display_name varchar(254)',
  guests_guestuser_qualifications: 'id bigint, guestuser_id bigint, qualification_id bigint',
  localparticipation: 'abstractparticipation_ptr_id bigint, user_id bigint',
  modellogging_logentry:
    'id bigint, content_object_id int, attached_to_object_id int, datetime timestamptz, action_type varchar(255), ' +
    'request_id varchar(36)?, data jsonb, attached_to_object_type_id int, content_type_id int, user_id bigint?',
  pages_page: 'id bigint, title varchar(250), content text, slug varchar(250), show_in_footer boolean, publicly_visible boolean',
  qualification: 'id bigint, title varchar(254), uuid uuid, category_id bigint, abbreviation varchar(254), is_imported boolean',
  qualification_includes: 'id bigint, from_qualification_id bigint, to_qualification_id bigint',
  qualificationcategory: 'id bigint, uuid uuid, title varchar(254), show_with_user boolean',
  qualificationgrant: 'id bigint, qualification_id bigint, user_id bigint, expires timestamptz?, externally_managed boolean',
  questionnaires_answer: 'id bigint, answer jsonb, participation_id bigint, question_id bigint',
  questionnaires_question:
    'id bigint, name varchar(50), question_text varchar(250), description text?, required boolean, type varchar(20), ' +
    'choices jsonb, archived boolean, use_saved_answers boolean',
  questionnaires_questionnaire: 'id bigint, shift_id bigint',
  questionnaires_questionnaire_questions: 'id bigint, questionnaire_id bigint, question_id bigint',
  questionnaires_savedanswer: 'id bigint, answer jsonb, question_id bigint, user_id bigint',
  shift:
    'id bigint, meeting_time timestamptz, start_time timestamptz, end_time timestamptz, structure_configuration jsonb, ' +
    'event_id bigint, signup_flow_slug varchar(50), structure_slug varchar(50), signup_flow_configuration jsonb, ' +
    'label varchar(255)',
  simpleresource_resource: 'id bigint, title varchar(100), category_id bigint',
  simpleresource_resourceallocation: 'id bigint, shift_id bigint',
  simpleresource_resourceallocation_resources: 'id bigint, resourceallocation_id bigint, resource_id bigint',
  simpleresource_resourcecategory: 'id bigint, name varchar(50), icon varchar(50)',
  userprofile:
    'id bigint, password varchar(128), last_login timestamptz?, is_superuser boolean, email varchar(254), is_active boolean, ' +
    'is_staff boolean, date_of_birth date?, phone varchar(254)?, calendar_token varchar(254), is_visible boolean, ' +
    'preferred_language varchar(10), display_name varchar(254), disabled_notifications jsonb, email_invalid boolean',
  userprofile_groups: 'id bigint, userprofile_id bigint, group_id int',
  userprofile_user_permissions: 'id bigint, userprofile_id bigint, permission_id int',
  workinghours: 'id bigint, hours numeric, reason varchar(1024), user_id bigint, date date',
}

/** The settings of an instance of ephios, in `dynamic_preferences_globalpreferencemodel`. */
export const EPHIOS_SETTINGS: [name: string, value: string][] = [
  ['organization_name', 'Bereitschaft Musterstadt'],
  ['hide_login_form', 'True'],
  ['login_redirect_to_sole_identity_provider', 'False'],
  ['enabled_plugins', 'ephios.plugins.guests,ephios.plugins.pages'],
  ['qualification_management_repos', 'https://qualifications.example/list.json'],
  ['last_run_periodic_call', '2031-04-30T23:00:00Z'],
]
