/** Every code of the interface and its status. The server writes by this table, a client reads by it. */
export const statusOfCode = {
  rest_no_route: 404,
  rest_invalid_json: 400,
  rest_missing_callback_param: 400,
  rest_invalid_param: 400,
  rest_forbidden: 403,
  rest_callback_invalid: 400,
  rest_invalid_namespace: 404,
  rest_batch_not_allowed: 400,
  parse_path_failed: 400,
  // Ours: real sites leave these to the web server.
  rest_invalid_form: 400,
  rest_body_too_large: 413,
  incorrect_password: 401,
  invalid_username: 401,
  invalid_email: 401,
  internal_server_error: 500,

  'rest-event-not-found': 404,
  'rest-invalid-event-id': 400,
  'event-not-accessible': 403,
  'event-no-longer-available': 403,
  'event-password-protected': 403,
  'venue-not-accessible': 403,
  'organizer-not-accessible': 403,
  'event-is-in-trash': 410,
  'venue-is-in-trash': 410,
  'organizer-is-in-trash': 410,
  'could-not-update-event': 403,
  'could-not-update-venue': 400,
  'could-not-update-organizer': 400,
  'could-not-create-venue': 400,
  'could-not-create-organizer': 400,
  'invalid-linked-post-id': 400,
  'event-archive-page-not-found': 404,
  'venue-archive-page-not-found': 404,
  'organizer-archive-page-not-found': 404,

  term_exists: 400,
  duplicate_term_slug: 500,
  empty_term_name: 500,
  invalid_term_name: 500,
  db_insert_error: 500,

  oembed_invalid_url: 404,
} as const satisfies Readonly<Record<string, number>>;

export type ProblemCode = keyof typeof statusOfCode;
