export interface paths {
    "/api/v1": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The endpoints, and what this token may use
         * @description Any valid token will do.
         */
        get: operations["index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The account behind this token
         * @description The account behind the token. Needs no ability, so it suits a health check. Any valid token will do.
         */
        get: operations["account.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The team, its plan and ceilings
         * @description The team, its plan and ceilings. Needs the ability account:read.
         */
        get: operations["team.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The credit balance
         * @description The credit balance of the team. Needs the ability account:read.
         */
        get: operations["credits.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credits/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The credit ledger, newest first
         * @description The credit ledger, newest first. Needs the ability account:read.
         */
        get: operations["credits.transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/monitoring/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When monitoring last ran
         * @description When monitoring last ran, and the state of each lane. Needs the ability account:read.
         */
        get: operations["monitoring.runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This OpenAPI document
         * @description Any valid token will do.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reports, newest first
         * @description Reports of the team, newest first. Needs the ability reports:read.
         */
        get: operations["reports.list"];
        put?: never;
        /**
         * Request a report
         * @description Requests a report. It costs one credit, starts as pending and completes within seconds. Needs the ability reports:write.
         */
        post: operations["reports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One report
         * @description One report. Needs the ability reports:read.
         */
        get: operations["reports.show"];
        put?: never;
        post?: never;
        /**
         * Delete a report and its document
         * @description Deletes a report and its document. The credit is not refunded. Returns true. Needs the ability reports:write.
         */
        delete: operations["reports.destroy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The records a report cites
         * @description The records that a report cites, newest first. Needs the ability reports:read.
         */
        get: operations["reports.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is needed to verify a report
         * @description What is needed to verify a complete report. Needs the ability reports:read.
         */
        get: operations["reports.verification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The document of a report
         * @description Needs the ability reports:export.
         */
        get: operations["reports.pdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report}/pdf/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A short-lived link to the document
         * @description Needs the ability reports:export.
         */
        post: operations["reports.pdf.link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request up to 25 reports
         * @description Requests up to 25 reports. Each accepted row costs one credit. Rows are processed in order. Needs the ability reports:write.
         */
        post: operations["reports.batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watched properties
         * @description Properties of the team, newest first. Needs the ability properties:read.
         */
        get: operations["properties.list"];
        put?: never;
        /**
         * Watch a property
         * @description Creates a property at an address. A team can save an address only once. The property is watched unless another status is sent. Needs the ability properties:write.
         */
        post: operations["properties.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One property with its contacts
         * @description One property with its contacts. Needs the ability properties:read.
         */
        get: operations["properties.show"];
        put?: never;
        post?: never;
        /**
         * Remove a property
         * @description Deletes a property with its contacts and exposures. Its reports stay. Returns true. Needs the ability properties:write.
         */
        delete: operations["properties.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a property
         * @description Updates the given fields of a property. Null clears label, reference and notes. A new address is located again and drops coordinates sent earlier; new coordinates without an address keep the address. Needs the ability properties:write.
         */
        patch: operations["properties.update"];
        trace?: never;
    };
    "/api/v1/properties/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Watch up to 100 properties
         * @description Creates up to 100 properties. Rows are processed in order, each as if sent alone. Needs the ability properties:write.
         */
        post: operations["properties.batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a report for a property
         * @description Requests a report about a property. It costs one credit. Needs the ability properties:write.
         */
        post: operations["properties.reports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/exposures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exposures near a property
         * @description Storm days and warnings near a property, newest first. Needs the ability properties:read.
         */
        get: operations["properties.exposures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill in public records about a property
         * @description Locates a property again and queries public records about it, if the plan and the installation include them. Needs the ability properties:write.
         */
        post: operations["properties.enrich"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Contacts of a property
         * @description Contacts of a property: the primary contact first, then the oldest. Needs the ability properties:read.
         */
        get: operations["properties.contacts.list"];
        put?: never;
        /**
         * Add a contact
         * @description Adds a contact to a property. The first contact becomes the primary contact. Needs the ability properties:write.
         */
        post: operations["properties.contacts.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/properties/{property}/contacts/{contact}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a contact
         * @description Deletes a contact. If it was the primary contact, the oldest remaining contact becomes primary. Returns true. Needs the ability properties:write.
         */
        delete: operations["properties.contacts.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a contact
         * @description Updates the given fields of a contact. Null clears company, phone, email and notes. Needs the ability properties:write.
         */
        patch: operations["properties.contacts.update"];
        trace?: never;
    };
    "/api/v1/territories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watched territories
         * @description Territories of the team, newest first. Needs the ability territories:read.
         */
        get: operations["territories.list"];
        put?: never;
        /**
         * Draw a territory
         * @description Creates a territory. It is watched unless another status is sent. Needs the ability territories:write.
         */
        post: operations["territories.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/territories/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Measure a territory without saving it
         * @description Measures a territory and reports whether the plan allows it. Nothing is saved. Needs the ability territories:write.
         */
        post: operations["territories.quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/territories/{territory}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One territory
         * @description One territory. Needs the ability territories:read.
         */
        get: operations["territories.show"];
        put?: never;
        post?: never;
        /**
         * Remove a territory
         * @description Deletes a territory with its exposures. Returns true. Needs the ability territories:write.
         */
        delete: operations["territories.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a territory
         * @description Updates the given fields of a territory, and measures it again if its area changes. Null clears the notes. Needs the ability territories:write.
         */
        patch: operations["territories.update"];
        trace?: never;
    };
    "/api/v1/territories/{territory}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Watch, pause or archive a territory
         * @description Watches, pauses or archives a territory. Needs the ability territories:write.
         */
        post: operations["territories.status"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/territories/{territory}/exposures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Exposures inside a territory
         * @description Storm days and warnings inside a territory, newest first. Needs the ability territories:read.
         */
        get: operations["territories.exposures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/places": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up a place by name
         * @description Places by name, at most 20. Needs the ability territories:read.
         */
        get: operations["places.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Storm days and warnings at watched places
         * @description Storm days and warnings at watched places, newest first. Needs the ability exposures:read.
         */
        get: operations["exposures.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures/{exposure}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One exposure
         * @description One exposure. Needs the ability exposures:read.
         */
        get: operations["exposures.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures/{exposure}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge or dismiss an exposure
         * @description Removes an exposure from the inbox: acknowledges it, or dismisses it with dismiss. Needs the ability exposures:write.
         */
        post: operations["exposures.acknowledge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exposures/{exposure}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopen an exposure
         * @description Returns an exposure to the inbox. Needs the ability exposures:write.
         */
        post: operations["exposures.reopen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Registered destinations
         * @description Destinations of the team, newest first. Needs the ability integrations:read.
         */
        get: operations["integrations.list"];
        put?: never;
        /**
         * Register a destination
         * @description Registers a destination, at most 10 per team. Needs the ability integrations:write.
         */
        post: operations["integrations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One destination
         * @description One destination. Needs the ability integrations:read.
         */
        get: operations["integrations.show"];
        put?: never;
        post?: never;
        /**
         * Remove a destination
         * @description Deletes a destination. Its deliveries stay in the list. Needs the ability integrations:write.
         */
        delete: operations["integrations.destroy"];
        options?: never;
        head?: never;
        /**
         * Change a destination
         * @description Updates the given fields of a destination. Without a url, the stored one stays. Needs the ability integrations:write.
         */
        patch: operations["integrations.update"];
        trace?: never;
    };
    "/api/v1/integrations/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events a destination can subscribe to
         * @description Every event that a destination can subscribe to. Needs the ability integrations:read.
         */
        get: operations["integrations.events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test post
         * @description Sends one test post and returns its outcome. Needs the ability integrations:write.
         */
        post: operations["integrations.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The signing secret
         * @description The signing secret of a destination. Needs the ability integrations:write.
         */
        get: operations["integrations.secret.show"];
        put?: never;
        /**
         * Rotate the signing secret
         * @description Replaces the signing secret. The old one stops working immediately. Needs the ability integrations:write.
         */
        post: operations["integrations.secret.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/{integration}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries to one destination
         * @description Deliveries to one destination, newest first. Needs the ability integrations:read.
         */
        get: operations["integrations.deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/integrations/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries to every destination
         * @description Every delivery of the team, newest first. Needs the ability integrations:read.
         */
        get: operations["deliveries.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tiles/{z}/{x}/{y}.mvt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A vector tile of the archive
         * @description Needs the ability maps:read.
         */
        get: operations["maps.tile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/playback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A storm day over a box
         * @description A storm day over a box of at most 6 by 6 degrees. Needs the ability maps:read.
         */
        get: operations["maps.playback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "exposure.detected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Storm day detected
         * @description A storm day enters the record near a watched property or inside a watched territory. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.exposure.detected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exposure.escalated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Storm day escalated
         * @description A storm day already posted grows: its measured hail reaches a higher band, or a tornado arrives. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.exposure.escalated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "warning.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Warning issued
         * @description An official warning is in force over a watched place; once for each warning, on plans with live warnings. Names the exposures of all places that it is over, and carries the first 50. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.warning.issued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "digest.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Morning digest
         * @description The morning digest of what was announced since 7 AM of the day before, as the team receives it by e-mail. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.digest.sent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Property saved
         * @description A property is saved, with its address, location, contacts and reference. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.property.created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Property changed
         * @description The address, reach, status, contacts or reference of a property changes, or someone sends it to a CRM. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.property.updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "property.archived": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Property archived
         * @description A property stops being watched. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.property.archived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report completed
         * @description A requested report finishes generating, with its window, findings and property. The PDF follows separately. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.report.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.pdf_ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report PDF ready
         * @description The PDF of a report is rendered and stored: the report again, with download links. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.report.pdf_ready"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "report.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report failed
         * @description A requested report cannot be compiled: the report with its reason. It costs no credit. Delivered at least once, and not always in order. Repeats carry the same id.
         */
        post: operations["webhooks.report.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The account behind a token. */
        Account: {
            /**
             * @description Always `account`.
             * @constant
             */
            object: "account";
            /** @description Summary of the team. */
            team: components["schemas"]["AccountTeam"];
            /** @description Limits on report requests. */
            limits: components["schemas"]["AccountLimits"];
            /** @description Credits of the period. */
            credits: components["schemas"]["CreditSummary"];
            /** @description The token of this request. */
            token: components["schemas"]["AccountToken"];
        };
        /** @description Summary of the team. */
        AccountTeam: {
            /** @description Name of the team. */
            name: string;
            /** @description Current tier. */
            plan: components["schemas"]["Tier"];
            /** @description Name of the tier. */
            plan_label: string;
            /** @description True during the trial. */
            on_trial: boolean;
            /** @description True if the plan has lapsed: the team can still read, but requests that cost credits or watch places are refused. */
            lapsed: boolean;
        };
        /**
         * @description A plan, lowest first.
         * @enum {string}
         */
        Tier: "free" | "starter" | "professional" | "business" | "enterprise";
        /** @description Limits on report requests. */
        AccountLimits: {
            /** @description How far back a window may reach, in years. */
            lookback_years: number;
            /** @description Largest radius of a report, in miles. */
            max_radius_miles: number;
            /** @description Reports that the plan allows in a period. */
            monthly_reports: number;
            /** @description Reports paid for in this period. Failed reports do not count. */
            reports_used: number;
            /** @description monthly_reports less reports_used, at least 0. Only the credit balance refuses a report. */
            reports_remaining: number;
            /** @description True if the plan includes PDF export. */
            pdf_export: boolean;
        };
        /** @description Credits of the period. A report costs one. */
        CreditSummary: {
            /** @description Credits that can be spent now. */
            balance: number;
            /** @description Credits granted at each renewal. */
            monthly_allowance: number;
            /** @description Credits spent since the renewal, less those refunded. */
            used_this_period: number;
            /**
             * Format: date-time
             * @description When the next period begins.
             */
            renews_at: string;
        };
        /** @description The token of this request. */
        AccountToken: {
            /** @description Name given at issue. */
            name: string;
            /** @description First nine characters of the token. */
            prefix: string;
            /** @description What the token may do. */
            abilities: components["schemas"]["Ability"][];
            /**
             * Format: date-time
             * @description When it expires; null if never.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_used_at: string;
        };
        /**
         * @description What a token may do.
         * @enum {string}
         */
        Ability: "reports:read" | "reports:write" | "reports:export" | "maps:read" | "properties:read" | "properties:write" | "territories:read" | "territories:write" | "exposures:read" | "exposures:write" | "account:read" | "integrations:read" | "integrations:write";
        /** @description The team, its plan and ceilings. */
        Team: {
            /**
             * @description Always `team`.
             * @constant
             */
            object: "team";
            /** @description Name of the team. */
            name: string;
            /** @description IANA time zone of the team. */
            timezone: string;
            /** @description The plan in force. */
            plan: components["schemas"]["TeamPlan"];
            /** @description Features of the plan. */
            includes: components["schemas"]["TeamIncludes"];
            /** @description The ceilings of the plan. */
            limits: components["schemas"]["TeamLimits"];
            /** @description Credits of the period. */
            credits: components["schemas"]["CreditSummary"];
            /** @description Related links. */
            links: components["schemas"]["TeamLinks"];
        };
        /** @description The plan in force. */
        TeamPlan: {
            /** @description Current tier. */
            tier: components["schemas"]["Tier"];
            /** @description Name of the tier. */
            label: string;
            /** @description True during the trial. */
            on_trial: boolean;
            /** @description True if the plan has lapsed: the team can still read, but requests that cost credits or watch places are refused. */
            lapsed: boolean;
        };
        /** @description Features of the plan. */
        TeamIncludes: {
            /** @description This API. */
            api: boolean;
            /** @description PDFs of reports. */
            pdf_export: boolean;
            /** @description Station observations in reports. */
            observations: boolean;
            /** @description Photographs in reports. */
            imagery: boolean;
            /** @description Custom layouts. */
            compose_layout: boolean;
            /** @description The team's own logo on documents. */
            report_branding: boolean;
            /** @description Public records of properties. */
            property_intelligence: boolean;
            /** @description Official warnings at watched places. */
            live_warnings: boolean;
            /** @description Mail about storm days at watched places. */
            record_alerts: boolean;
        };
        /** @description The ceilings of the plan. */
        TeamLimits: {
            /** @description How far back a window may reach, in years. */
            lookback_years: number;
            /** @description Largest radius of a report, in miles. */
            max_radius_miles: number;
            /** @description Number of properties, and the limit. */
            properties: components["schemas"]["HeldProperties"];
            /** @description Number of territories, and the limits on number and size. */
            territories: components["schemas"]["HeldTerritories"];
            /** @description Largest watch radius of a property, in miles. */
            watch_radius_miles: number;
        };
        /** @description Number of properties, and the limit. */
        HeldProperties: {
            /** @description Watched and paused ones. Archived ones do not count. */
            held: number;
            /** @description Largest number allowed. */
            limit: number;
        };
        /** @description Number of territories, and the limits on number and size. */
        HeldTerritories: {
            /** @description Watched and paused ones. Archived ones do not count. */
            held: number;
            /** @description Largest number allowed. */
            limit: number;
            /** @description Largest area of a territory, in square miles. */
            max_area_sq_miles: number;
        };
        /** @description Related links. */
        TeamLinks: {
            /**
             * Format: uri
             * @description The credit balance.
             */
            credits: string;
            /**
             * Format: uri
             * @description When monitoring last ran, and the state of each lane.
             */
            monitoring: string;
        };
        /** @description The credit balance of the team. */
        Credits: {
            /**
             * @description Always `credits`.
             * @constant
             */
            object: "credits";
            /** @description Credits that can be spent now. */
            balance: number;
            /** @description Credits granted at each renewal. */
            monthly_allowance: number;
            /** @description Credits spent since the renewal, less those refunded. */
            used_this_period: number;
            /**
             * Format: date-time
             * @description When the next period begins.
             */
            renews_at: string;
            /** @description Unused credits of the previous period, which lapsed at the renewal. */
            lapsed_this_period: number;
            /** @description Related links. */
            links: components["schemas"]["CreditsLinks"];
        };
        /** @description Related links. */
        CreditsLinks: {
            /**
             * Format: uri
             * @description The ledger.
             */
            transactions: string;
        };
        /** @description One page of a list. */
        CreditTransactionPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["CreditTransaction"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One entry of the credit ledger. */
        CreditTransaction: {
            /** @description Id of the entry. */
            id: number;
            /**
             * @description Always `credit_transaction`.
             * @constant
             */
            object: "credit_transaction";
            /** @description Why the balance changed. */
            kind: components["schemas"]["CreditKind"];
            /** @description Credits; negative for credits taken. */
            amount: number;
            /** @description The balance after this entry. */
            balance_after: number;
            /** @description What it was for. */
            description: string;
            /** @description The operator's note on a correction. */
            note: string | null;
            /**
             * Format: uuid
             * @description The report that was paid for or refunded, even if deleted.
             */
            report_id: string | null;
            /**
             * Format: date-time
             * @description When the balance changed.
             */
            created_at: string;
        };
        /**
         * @description Why the balance changed.
         * @enum {string}
         */
        CreditKind: "spend" | "refund" | "allowance" | "lapse" | "top_up" | "adjustment";
        /** @description Links to other pages of a list. */
        PageLinks: {
            /**
             * Format: uri
             * @description The first page.
             */
            first: string;
            /**
             * Format: uri
             * @description The last page.
             */
            last: string;
            /**
             * Format: uri
             * @description The previous page; null on the first.
             */
            prev: string | null;
            /**
             * Format: uri
             * @description The next page; null on the last.
             */
            next: string | null;
        };
        /** @description Position of a page in its list. */
        PageMeta: {
            /** @description Number of this page, from 1. */
            current_page: number;
            /** @description Number of the first row, from 1; null on an empty page. */
            from: number | null;
            /** @description Number of the last page; 1 if the list is empty. */
            last_page: number;
            /** @description URL of the list. */
            path: string;
            /** @description Rows per page, as applied. */
            per_page: number;
            /** @description Number of the last row; null on an empty page. */
            to: number | null;
            /** @description Number of rows on all pages. */
            total: number;
        };
        /** @description The newest runs, and the state of each lane. */
        MonitoringRunList: {
            /**
             * @description Always `list`.
             * @constant
             */
            object: "list";
            /** @description The newest 100 runs, newest first. */
            data: components["schemas"]["MonitoringRun"][];
            /** @description State of each lane. */
            lanes: components["schemas"]["MonitoringLane"][];
        };
        /** @description One run of a lane. Runs distinguish a quiet lane from a stopped one. */
        MonitoringRun: {
            /**
             * @description Always `monitoring_run`.
             * @constant
             */
            object: "monitoring_run";
            /** @description The lane that ran. */
            lane: components["schemas"]["LaneName"];
            /** @description Name of the lane. */
            lane_label: string;
            /** @description Status of the run. */
            status: components["schemas"]["RunStatus"];
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it ended; null while it runs.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description The lane has read its sources up to this time.
             */
            watermark: string | null;
            /** @description Number of records or warnings new to the lane. */
            candidates: number;
            /** @description Number of exposures created or changed. */
            written: number;
            /** @description Number of events emitted. */
            notified: number;
            /** @description Why it failed; null if it did not. */
            failure_reason: string | null;
        };
        /**
         * @description A lane of monitoring, named for what it reads.
         * @enum {string}
         */
        LaneName: "record" | "warnings" | "surfaces";
        /**
         * @description Status of a run.
         * @enum {string}
         */
        RunStatus: "running" | "complete" | "failed";
        /** @description State of a lane of monitoring. */
        MonitoringLane: {
            /**
             * @description Always `monitoring_lane`.
             * @constant
             */
            object: "monitoring_lane";
            /** @description The lane. */
            lane: components["schemas"]["LaneName"];
            /** @description Name of the lane. */
            lane_label: string;
            /** @description State of the lane. */
            state: components["schemas"]["LaneState"];
            /**
             * Format: date-time
             * @description When a run last completed.
             */
            last_complete_at: string | null;
            /**
             * Format: date-time
             * @description The lane has read its sources up to this time.
             */
            watermark: string | null;
            /** @description Seconds between two runs. */
            expected_every_seconds: number;
        };
        /**
         * @description State of a lane. Stalled: no run completed for three intervals. Off: it was never turned on.
         * @enum {string}
         */
        LaneState: "off" | "running" | "quiet" | "stalled" | "failing";
        /** @description One page of a list. */
        ReportPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Report"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A weather report on one address and window. */
        Report: {
            /**
             * Format: uuid
             * @description Id of the report.
             */
            id: string;
            /**
             * @description Always `report`.
             * @constant
             */
            object: "report";
            /** @description Status of the report. */
            status: components["schemas"]["ReportStatus"];
            /** @description The address as sent and as located. */
            address: components["schemas"]["ReportAddress"];
            /** @description The days and the circle searched. */
            window: components["schemas"]["ReportWindow"];
            /**
             * Format: date-time
             * @description Point in time of the archive that was queried. Later knowledge is left out. Null if the current archive was queried.
             */
            as_of: string | null;
            /**
             * Format: date
             * @description Date of loss, which the report covers first; a local day of the place. Null if none was sent.
             */
            date_of_loss: string | null;
            /** @description What is on record for the date of loss and for the two days before and after it; null until complete, and without a date of loss. */
            day_of_loss: components["schemas"]["DayOfLoss"] | null;
            /** @description The date of loss, the days near it with records or warnings, and up to 12 other days that stand out, newest first; null until complete and without a date of loss. */
            days: components["schemas"]["ReportDay"][] | null;
            /**
             * Format: uuid
             * @description The saved property that it is filed under.
             */
            property_id: string | null;
            /** @description The caller's own reference, as sent. */
            reference: string | null;
            /** @description Text printed on the cover, as sent. */
            recipient: string | null;
            /** @description Records cited; 0 until complete. */
            event_count: number;
            /** @description Station observations used; 0 until complete. */
            observation_count: number;
            /** @description What the archive had for the window. */
            coverage: components["schemas"]["ReportCoverage"];
            /** @description One clause of at most 120 characters about the one record to know of first; null until complete. */
            headline: string | null;
            /** @description Statement if nothing is cited; null if something is cited, and until complete. */
            nothing_found: string | null;
            /** @description One finding per family, strongest first; null until complete. */
            findings: components["schemas"]["Finding"][] | null;
            /** @description SHA-256 of the evidence, 64 hex digits; null until complete. */
            fingerprint: string | null;
            /** @description Version of the rules that it was compiled with; docs/methodology.md lists what each version changed. Null until complete. */
            methodology_version: string | null;
            /** @description Why it failed. A failed report costs no credit. */
            failure_reason: components["schemas"]["FailureReason"] | null;
            /** @description Why it failed, in a sentence that names the fault. */
            failure_message: string | null;
            /** @description Tier of the team when it was requested. */
            plan_tier: components["schemas"]["Tier"];
            /** @description Layout of the document. */
            layout: components["schemas"]["Layout"];
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was completed.
             */
            generated_at: string | null;
            /** @description The document of the report. */
            pdf: components["schemas"]["ReportPdf"];
            /** @description Related links. */
            links: components["schemas"]["ReportLinks"];
        };
        /**
         * @description Status of a report; complete and failed are final.
         * @enum {string}
         */
        ReportStatus: "pending" | "complete" | "failed";
        /** @description The address as sent and as located. All fields except query are null until it is located. */
        ReportAddress: {
            /** @description The address as sent. */
            query: string;
            /** @description House number and street. */
            street: string | null;
            /** @description City. */
            city: string | null;
            /** @description Two-letter code of the state. */
            state: string | null;
            /** @description ZIP code. */
            postal_code: string | null;
            /** @description Name of the county. */
            county: string | null;
            /** @description Degrees north, 5 decimals. */
            latitude: number | null;
            /** @description Degrees east, 5 decimals. */
            longitude: number | null;
            /** @description How precisely it was located. With zip or city, distances are from the centre of that area. */
            precision: components["schemas"]["PlacePrecision"] | null;
        };
        /**
         * @description How precisely an address was located.
         * @enum {string}
         */
        PlacePrecision: "point" | "range" | "zip" | "city";
        /** @description The days and the circle searched. */
        ReportWindow: {
            /**
             * Format: date
             * @description First day.
             */
            start: string;
            /**
             * Format: date
             * @description Last day.
             */
            end: string;
            /** @description Radius around the address, in miles. */
            radius_miles: number;
            /** @description True if the plan moved the start later or reduced the radius. */
            narrowed_by_plan: boolean;
        };
        /** @description What is on record for the date of loss and for the two days before and after it. */
        DayOfLoss: {
            /**
             * Format: date
             * @description The date of loss.
             */
            date: string;
            /** @description The answer in sentences, the date itself first. */
            statement: string;
            /** @description By distance, the smallest first. */
            rings: components["schemas"]["DayOfLossRing"][];
            /** @description Official warnings over the place, the earliest first. */
            warnings: components["schemas"]["DayOfLossWarning"][];
        };
        /** @description What is on record within 1, 3 or 10 miles, as far as the radius of the report reaches. */
        DayOfLossRing: {
            /** @description Miles. */
            radius_miles: number;
            /** @description Records of the date with a point inside the ring. */
            records: number;
            /** @description The same for the two days before and the two days after it. */
            near_records: number;
            /** @description The strongest record of each hazard from each channel. */
            strongest: components["schemas"]["StrongestRecord"][];
        };
        /** @description The strongest record of one hazard from one channel. */
        StrongestRecord: {
            /** @description Whether it is from the date itself or from a day near it. */
            relation: components["schemas"]["DayRelation"];
            /** @description Hazard of the record. */
            hazard: components["schemas"]["Hazard"];
            /** @description Kind of evidence. */
            channel: components["schemas"]["EvidenceKind"];
            /**
             * Format: date
             * @description Local date of the record.
             */
            occurred_on: string;
            /** @description Inches. */
            hail_size_in: number | null;
            /** @description Miles an hour. */
            wind_mph: number | null;
            /** @description Rating, on the scale that its record states. */
            tornado_rating: string | null;
            /** @description Distance of the record, in miles. */
            distance_miles: number;
            /** @description Compass point from the place. */
            bearing: string | null;
            /**
             * Format: uri
             * @description Where the source publishes it.
             */
            citation_url: string;
        };
        /**
         * @description How a day relates to the date of loss; near is within two days of it.
         * @enum {string}
         */
        DayRelation: "date_of_loss" | "near" | "other";
        /**
         * @description A hazard that a date of loss is checked for.
         * @enum {string}
         */
        Hazard: "hail" | "wind" | "tornado";
        /**
         * @description How it was observed: by people at the ground, by an instrument, or by radar.
         * @enum {string}
         */
        EvidenceKind: "ground" | "instrument" | "radar";
        /** @description A period under an official warning. */
        DayOfLossWarning: {
            /** @description Whether it overlaps the date itself or a day near it. */
            relation: components["schemas"]["DayRelation"];
            /** @description Name of the warning, such as Severe Thunderstorm Warning. */
            event: string;
            /** @description The office that issued it. */
            office_name: string;
            /**
             * Format: date-time
             * @description When the place came under it.
             */
            from: string;
            /**
             * Format: date-time
             * @description When that ended.
             */
            until: string;
            /**
             * Format: uri
             * @description Where the warning is published.
             */
            citation_url: string;
        };
        /** @description What is on record for one local day within the radius of the report. No figure comes from a record with caveats. */
        ReportDay: {
            /**
             * Format: date
             * @description The day.
             */
            date: string;
            /** @description Hail on the day. */
            hail: components["schemas"]["HailDay"];
            /** @description Wind on the day. */
            wind: components["schemas"]["WindDay"];
            /** @description Tornadoes on the day. */
            tornado: components["schemas"]["TornadoDay"];
            /** @description Official warnings in force over the place at any time of the day. */
            warnings: number;
            /** @description Records of the day, including records located only by county or zone. */
            records: number;
            /** @description How it relates to the date of loss. */
            relation: components["schemas"]["DayRelation"];
        };
        /** @description Hail on one day. */
        HailDay: {
            /** @description Largest hail reported or measured, in inches. */
            ground_in: number | null;
            /** @description Largest hail that radar estimated aloft, in inches. */
            radar_in: number | null;
            /** @description Distance to the nearest hail that was reported or measured, in miles. */
            nearest_miles: number | null;
        };
        /** @description Wind on one day, in miles an hour. */
        WindDay: {
            /** @description Strongest wind that people reported. */
            ground_mph: number | null;
            /** @description Strongest wind that an instrument measured. */
            instrument_mph: number | null;
            /** @description Distance to the nearest record of wind, in miles. */
            nearest_miles: number | null;
        };
        /** @description Tornadoes on one day. A funnel cloud does not count. */
        TornadoDay: {
            /** @description Rating of the strongest tornado, on the scale that its record states. */
            rating: string | null;
            /** @description Distance to the nearest tornado, in miles. */
            nearest_miles: number | null;
        };
        /** @description What the archive had for the window. */
        ReportCoverage: {
            /** @description True if the archive had everything needed. */
            complete: boolean;
            /** @description True if part of the window is after the final record. */
            provisional: boolean;
            /** @description The coverage in words; null until complete. */
            summary: string | null;
            /** @description Sources that cover part of the window, including those without records. */
            sources_searched: components["schemas"]["SourceId"][];
            /** @description Forecast-zone records of the state in the window that no zone table locates. They are not cited, and the report is not authoritative if there are any. Null until complete. */
            unplaced_zone_records: number | null;
        };
        /**
         * @description A source of the archive.
         * @enum {string}
         */
        SourceId: "noaa_storm_events" | "noaa_spc_reports" | "nws_lsr" | "noaa_mesh" | "nexrad_hail" | "nws_warnings" | "asos" | "nws_zones" | "sample";
        /** @description What the cited records of one family show together. */
        Finding: {
            /** @description The family of the records. */
            family: components["schemas"]["Family"];
            /** @description Name of the family. */
            family_label: string;
            /** @description Number of cited records of the family. */
            event_count: number;
            /** @description The highest severity among them. */
            peak_severity: components["schemas"]["Severity"];
            /** @description Kinds of evidence among them. */
            evidence_kinds: components["schemas"]["EvidenceKind"][];
            /** @description The same in words. */
            evidence_labels: string[];
            /** @description Local dates with records, newest first. */
            dates: string[];
            /**
             * Format: date
             * @description The newest of the dates.
             */
            most_recent: string;
            /** @description Largest hail of records with a point, in inches. Records located only by county or zone count only if there are no others. */
            peak_hail_in: number | null;
            /** @description Strongest wind or gust, in miles an hour. */
            peak_wind_mph: number | null;
            /** @description Highest tornado rating, 0 to 5. */
            peak_tornado_ef: number | null;
            /** @description The same rating on the scale that the record states: F3 in 1991, EF3 from February 2007. */
            peak_tornado_rating: string | null;
            /** @description Distance to the nearest record, in miles; null if all are located only by county or zone. */
            nearest_miles: number | null;
            /** @description True if any record was seen at the ground or measured. */
            any_observed: boolean;
            /** @description How well the evidence agrees on the best day. */
            confidence: components["schemas"]["Confidence"];
            /** @description The confidence in words, with the reason. */
            confidence_label: string;
            /** @description The finding in sentences. Each figure has the distance and day of its own record. */
            statement: string;
        };
        /**
         * @description Types that can corroborate one another.
         * @enum {string}
         */
        Family: "thunderstorm" | "flash_flood" | "flood" | "coastal" | "wind" | "tropical" | "winter" | "cold" | "heat" | "fire" | "visibility" | "drought" | "other";
        /**
         * @description Severity; unknown if the record states no magnitude.
         * @enum {string}
         */
        Severity: "unknown" | "minor" | "moderate" | "severe" | "extreme";
        /**
         * @description How well the evidence agrees.
         * @enum {string}
         */
        Confidence: "high" | "medium" | "low";
        /**
         * @description Why a report failed.
         * @enum {string}
         */
        FailureReason: "address_not_found" | "address_ambiguous" | "outside_coverage" | "sources_unavailable" | "timed_out" | "internal_error";
        /** @description Layout of the document. The cover, coverage with its limits, and verification are always printed. */
        Layout: {
            /** @description Sections, in order. */
            sections: components["schemas"]["LayoutSection"][];
            /** @description Pictures. */
            imagery: components["schemas"]["LayoutImagery"][];
            /** @description Parts within sections. */
            elements: components["schemas"]["LayoutElement"][];
            /** @description The map; null for none. */
            map: components["schemas"]["LayoutMap"] | null;
        };
        /**
         * @description A section of the document.
         * @enum {string}
         */
        LayoutSection: "summary" | "findings" | "map" | "timeline" | "events" | "observations" | "warnings" | "imagery" | "methodology";
        /**
         * @description Pictures in the document.
         * @enum {string}
         */
        LayoutImagery: "aerial" | "street_view" | "radar";
        /**
         * @description Parts within sections. `branding` is the team's name and logo, if its plan includes them: elements that are sent without it leave them out; if none are sent, they are printed.
         * @enum {string}
         */
        LayoutElement: "key_figures" | "timeline_chart" | "distance_rings" | "narratives" | "evidence_badges" | "prior_events" | "branding";
        /** @description The map of the document. */
        LayoutMap: {
            /** @description Basemap. */
            base: components["schemas"]["MapBase"];
            /** @description Layers on the map. */
            layers: components["schemas"]["MapLayer"][];
        };
        /**
         * @description Basemap.
         * @enum {string}
         */
        MapBase: "plain" | "streets" | "aerial";
        /**
         * @description A layer on the map.
         * @enum {string}
         */
        MapLayer: "hail" | "wind" | "tornado" | "tornado_paths" | "flood" | "other" | "radar_hail" | "warnings" | "rings";
        /** @description The document of the report. */
        ReportPdf: {
            /** @description Null until rendered. */
            status: components["schemas"]["PdfStatus"] | null;
            /**
             * Format: date-time
             * @description When it was rendered.
             */
            rendered_at: string | null;
        };
        /**
         * @description Status of the document.
         * @enum {string}
         */
        PdfStatus: "ready" | "failed";
        /** @description Related links. */
        ReportLinks: {
            /**
             * Format: uri
             * @description The report.
             */
            self: string;
            /**
             * Format: uri
             * @description The records it cites; null until complete.
             */
            events: string | null;
            /**
             * Format: uri
             * @description Its document; null until complete.
             */
            pdf: string | null;
        };
        /** @description One page of a list. */
        ExposurePage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Exposure"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A storm day, or an official warning, at one watched place. */
        Exposure: {
            /** @description Id of the exposure. */
            id: number;
            /**
             * @description Always `exposure`.
             * @constant
             */
            object: "exposure";
            /** @description A storm day or a warning. */
            kind: components["schemas"]["ExposureKind"];
            /**
             * Format: date
             * @description The local day of the records; for a warning, the day of its issue.
             */
            date: string;
            /** @description The watched place. */
            subject: components["schemas"]["ExposureSubject"];
            /** @description Summary in one line. */
            headline: string;
            /** @description Ground and instrument records. */
            reports: number;
            /** @description Number of distinct sources of all records. */
            sources: number;
            /** @description Ground and instrument records by type. */
            families: components["schemas"]["ExposureFamilies"];
            /** @description Largest hail in ground and instrument records, in inches. */
            largest_measured_in: number | null;
            /** @description Largest hail estimated by radar, in inches. */
            largest_detected_in: number | null;
            /** @description Strongest gust, in miles an hour. */
            max_gust_mph: number | null;
            /** @description Miles to the nearest record; 0 for a territory. */
            nearest_miles: number | null;
            /** @description Whether a person or an instrument observed it. */
            observed: boolean;
            /** @description Whether any of its records is preliminary. */
            provisional: boolean;
            /** @description Kinds of evidence present. */
            evidence: components["schemas"]["EvidenceKind"][];
            /** @description Ids of its archived records. */
            record_ids: number[];
            /** @description The warning; null for a storm day. */
            warning: components["schemas"]["Warning"] | null;
            /**
             * Format: date-time
             * @description When it was detected, to the microsecond.
             */
            first_seen_at: string;
            /**
             * Format: date-time
             * @description When any part of it last changed, to the microsecond. Send this value as `since`.
             */
            last_seen_at: string;
            /**
             * Format: date-time
             * @description When it was announced; null if it was not.
             */
            notified_at: string | null;
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            acknowledged_at: string | null;
            /**
             * Format: date-time
             * @description When it was dismissed.
             */
            dismissed_at: string | null;
            /**
             * Format: uuid
             * @description The newest complete report of the property whose window includes the day.
             */
            report_id: string | null;
            /** @description Related links. */
            links: components["schemas"]["ExposureLinks"];
            /** @description True if its records are made up. */
            sample: boolean;
        };
        /**
         * @description Record: a storm day of the archive. Warning: an official warning.
         * @enum {string}
         */
        ExposureKind: "record" | "warning";
        /** @description The watched place that an exposure is about. */
        ExposureSubject: {
            /**
             * Format: uuid
             * @description Id of the property or the territory.
             */
            id: string;
            /** @description Whether it is a property or a territory. */
            object: components["schemas"]["WatchSubject"];
            /** @description Name of the place. */
            name: string;
            /** @description How precisely a property is located. With zip or city, distances are from the centre of that area. Null for a territory. */
            precision: components["schemas"]["PlacePrecision"] | null;
        };
        /**
         * @description A kind of watched place.
         * @enum {string}
         */
        WatchSubject: "property" | "territory";
        /** @description Ground and instrument records by type. */
        ExposureFamilies: {
            /** @description Hail. */
            hail: number;
            /** @description Wind. */
            wind: number;
            /** @description Tornadoes, funnel clouds and waterspouts. */
            tornado: number;
            /** @description Anything else. */
            other: number;
        };
        /** @description An official warning as of the newest message that covers the place. */
        Warning: {
            /**
             * @description Always `warning`.
             * @constant
             */
            object: "warning";
            /** @description Identifier of the message. */
            identifier: string;
            /** @description The event that the warning is about, in the agency's words. */
            event: string;
            /** @description Headline of the message. */
            headline: string | null;
            /** @description Status of the message, lower case: actual. */
            status: string;
            /** @description Type of the message, lower case: alert, update or cancel. */
            message_type: string;
            /** @description Severity of the event. */
            severity: components["schemas"]["WarningSeverity"];
            /** @description Certainty of the event. */
            certainty: components["schemas"]["WarningCertainty"];
            /** @description Urgency of the event. */
            urgency: components["schemas"]["WarningUrgency"];
            /**
             * Format: date-time
             * @description When it was issued.
             */
            issued_at: string;
            /**
             * Format: date-time
             * @description When the event is expected to begin.
             */
            onset_at: string | null;
            /**
             * Format: date-time
             * @description When its newest message expires.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the event is expected to end. Null until further notice: the next message continues it.
             */
            ends_at: string | null;
            /** @description Whether the place is under it now. */
            in_force: boolean;
            /**
             * Format: date-time
             * @description When it was cancelled.
             */
            cancelled_at: string | null;
            /** @description Who issued it. */
            office: components["schemas"]["WarningOffice"];
            /** @description Its VTEC event code. */
            vtec: string;
            /** @description Two-letter code of the phenomenon. */
            phenomenon: string;
            /** @description Significance; W is a warning. */
            significance: string;
            /** @description Number of the event at its office in that year. */
            tracking_number: number;
            /** @description Threats that it names. */
            threats: components["schemas"]["WarningThreats"];
            /** @description The area in words. */
            area: string | null;
            /** @description What the agency asks people to do. */
            instruction: string | null;
            /** @description The polygon; null if only counties define the area, or if the polygon cannot be right. */
            geometry: (components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"]) | null;
            /**
             * @description storm: the message has a polygon. zone: its counties define the area.
             * @enum {string}
             */
            geometry_basis: "storm" | "zone";
            /**
             * Format: uri
             * @description Where the warning is archived.
             */
            citation_url: string;
            /** @description When the place was under it: periods in which the area of one of its messages was over the place. */
            periods: components["schemas"]["WarningPeriod"][];
        };
        /**
         * @description Severity of the event that a warning is about.
         * @enum {string}
         */
        WarningSeverity: "extreme" | "severe" | "moderate" | "minor" | "unknown";
        /**
         * @description Certainty of the event.
         * @enum {string}
         */
        WarningCertainty: "observed" | "likely" | "possible" | "unlikely" | "unknown";
        /**
         * @description Urgency of the event.
         * @enum {string}
         */
        WarningUrgency: "immediate" | "expected" | "future" | "past" | "unknown";
        /** @description The office that issued a warning. */
        WarningOffice: {
            /** @description Its four-letter code. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        /** @description Threats that a warning names; null for those that it does not. */
        WarningThreats: {
            /** @description Largest hail, in inches. */
            max_hail_in: number | null;
            /**
             * @description What the size is based on.
             * @enum {string|null}
             */
            hail_basis: "radar_indicated" | "observed" | null;
            /** @description Strongest gust, in miles an hour. */
            max_gust_mph: number | null;
            /**
             * @description What the gust is based on.
             * @enum {string|null}
             */
            wind_basis: "radar_indicated" | "observed" | null;
            /** @description Its tornado tag. */
            tornado: string | null;
            /** @description Its flash flood tag. */
            flash_flood: string | null;
            /**
             * @description Its threat tag.
             * @enum {string|null}
             */
            damage: "base" | "considerable" | "destructive" | "catastrophic" | null;
        };
        /** @description A GeoJSON Polygon: its outer ring, then its holes. */
        Polygon: {
            /** @constant */
            type: "Polygon";
            coordinates: number[][][];
        };
        /** @description A GeoJSON MultiPolygon of at most 100 polygons. */
        MultiPolygon: {
            /** @constant */
            type: "MultiPolygon";
            coordinates: number[][][][];
        };
        /** @description A GeoJSON Feature that wraps a shape. Its properties are ignored. */
        PolygonFeature: {
            /** @constant */
            type: "Feature";
            geometry: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"];
            properties?: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A period during which the place was under the warning. */
        WarningPeriod: {
            /**
             * Format: date-time
             * @description When it began.
             */
            from: string;
            /**
             * Format: date-time
             * @description When it ended or will end; exclusive.
             */
            until: string;
        };
        /** @description Related links. */
        ExposureLinks: {
            /**
             * Format: uri
             * @description The exposure.
             */
            self: string;
            /**
             * Format: uri
             * @description The watched place.
             */
            subject: string;
            /**
             * Format: uri
             * @description The report; null if there is none.
             */
            report: string | null;
        };
        /** @description One page of a list. */
        CitedRecordPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["CitedRecord"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A record as it was when its report was published. */
        CitedRecord: {
            /** @description Id of the record in the archive. */
            id: number;
            /**
             * @description Always `weather_event`.
             * @constant
             */
            object: "weather_event";
            /** @description Type of weather event. */
            type: components["schemas"]["RecordType"];
            /** @description Types that can corroborate one another. */
            family: components["schemas"]["Family"];
            /** @description How severe it was. */
            severity: components["schemas"]["Severity"];
            /**
             * Format: date
             * @description Local date at the record's own place.
             */
            occurred_on: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            begins_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            ends_at: string | null;
            /** @description What the record states. */
            measurements: components["schemas"]["Measurements"];
            /** @description Rating of a tornado on the scale that the record states, such as F3, EF3 or EFU; null for other types. */
            tornado_rating: string | null;
            /** @description Where the record says it was. */
            location: components["schemas"]["RecordLocation"];
            /** @description What it means for the address. */
            relevance: components["schemas"]["RecordRelevance"];
            /** @description Where it comes from. */
            provenance: components["schemas"]["Provenance"];
            /** @description The source's own words, and notes on how they were interpreted. */
            description: string;
            /** @description True if the record is made up. */
            sample: boolean;
        };
        /**
         * @description Type of weather event.
         * @enum {string}
         */
        RecordType: "hail" | "thunderstorm_wind" | "tornado" | "funnel_cloud" | "lightning" | "waterspout" | "marine_hail" | "marine_thunderstorm_wind" | "marine_lightning" | "flash_flood" | "heavy_rain" | "debris_flow" | "flood" | "lakeshore_flood" | "seiche" | "coastal_flood" | "storm_surge" | "high_surf" | "rip_current" | "sneaker_wave" | "astronomical_low_tide" | "tsunami" | "high_wind" | "strong_wind" | "marine_high_wind" | "marine_strong_wind" | "dust_devil" | "hurricane" | "tropical_storm" | "tropical_depression" | "marine_hurricane" | "marine_tropical_storm" | "marine_tropical_depression" | "blizzard" | "heavy_snow" | "ice_storm" | "lake_effect_snow" | "sleet" | "winter_storm" | "winter_weather" | "avalanche" | "marine_heavy_freezing_spray" | "cold_wind_chill" | "extreme_cold" | "frost_freeze" | "heat" | "excessive_heat" | "wildfire" | "dense_smoke" | "dense_fog" | "freezing_fog" | "dust_storm" | "marine_dense_fog" | "drought" | "volcanic_ash" | "other";
        /** @description Measurements that the record states; null for those that it does not. */
        Measurements: {
            /** @description Sustained wind, in miles an hour. */
            wind_speed_mph: number | null;
            /** @description Gust, in miles an hour. */
            wind_gust_mph: number | null;
            /** @description Hail, in inches. */
            hail_size_in: number | null;
            /** @description Tornado rating, 0 to 5; null if unknown. */
            tornado_ef_scale: number | null;
        };
        /** @description Where the record says it was. */
        RecordLocation: {
            /** @description Degrees north; null for a county or zone. */
            latitude: number | null;
            /** @description Degrees east; null for a county or zone. */
            longitude: number | null;
            /** @description Name of the county. */
            county: string | null;
            /** @description Two-letter code of the state. */
            state: string | null;
            /** @description How precisely the record gives its location. */
            precision: components["schemas"]["Precision"];
            /** @description The forecast zone that the record names, such as NYZ010; null for every other precision. */
            zone: string | null;
            /** @description Name of the zone, if known. */
            zone_name: string | null;
        };
        /**
         * @description How precisely a record gives its location.
         * @enum {string}
         */
        Precision: "point" | "path" | "area" | "grid" | "county" | "zone";
        /** @description How the record relates to the address. */
        RecordRelevance: {
            /** @description How near it is. */
            relevance: components["schemas"]["Relevance"];
            /** @description Miles from the address, 2 decimals; null for a county or zone. */
            distance_miles: number | null;
            /** @description Direction from the address; null without a distance or at the address. */
            bearing: components["schemas"]["CompassPoint"] | null;
        };
        /**
         * @description One of 16 directions, clockwise from north.
         * @enum {string}
         */
        CompassPoint: "N" | "NNE" | "NE" | "ENE" | "E" | "ESE" | "SE" | "SSE" | "S" | "SSW" | "SW" | "WSW" | "W" | "WNW" | "NW" | "NNW";
        /**
         * @description Primary: within 3 miles, or over the address. Secondary: within 10 miles. Context: farther away, or located only by county or zone.
         * @enum {string}
         */
        Relevance: "primary" | "secondary" | "context";
        /** @description Where the record comes from. */
        Provenance: {
            /** @description Identifier of the source. */
            source: components["schemas"]["SourceId"];
            /** @description The product, and whether it is final or preliminary. */
            source_label: string;
            /** @description How it was observed. */
            evidence_kind: components["schemas"]["EvidenceKind"];
            /** @description True if seen at the ground or measured, false for radar. */
            is_observed: boolean;
            /** @description How the magnitude was obtained; null without one. */
            qualifier: components["schemas"]["Qualifier"] | null;
            /** @description How the source compiles its records. */
            methodology: string;
            /**
             * Format: uri
             * @description The source's own record.
             */
            citation_url: string;
            /** @description Doubts about the record, in sentences; empty for most. */
            caveats: string[];
            /** @description The agency's file that contains it; null if it was read before the service recorded files. */
            file: components["schemas"]["CitedFile"] | null;
        };
        /**
         * @description How a magnitude was obtained.
         * @enum {string}
         */
        Qualifier: "measured" | "estimated" | "surveyed" | "radar_estimated" | "unknown";
        /** @description The agency's file, or the response of its service, that contains a record. */
        CitedFile: {
            /** @description SHA-256 of the file as fetched, 64 lower-case hex digits. */
            sha256: string;
            /** @description Name of the file. */
            name: string;
            /** @description Where the record is in the file: a row, a report, a feature, or a whole radar grid. */
            span: components["schemas"]["FileSpan"];
        };
        /** @description A range of bytes in a file, or in the unpacked file if it is gzip. */
        FileSpan: {
            /** @description Offset of the first byte. */
            start: number;
            /** @description Number of bytes. */
            length: number;
        };
        /** @description What a report states about itself, and what is needed to verify it. */
        Verification: {
            /**
             * @description Always `verification`.
             * @constant
             */
            object: "verification";
            /**
             * Format: uuid
             * @description Id of the report.
             */
            report_id: string;
            /** @description SHA-256 of the evidence, 64 hex digits. */
            fingerprint: string;
            /** @description Its first 16 digits, upper case, in four groups. */
            short_fingerprint: string;
            /**
             * Format: uri
             * @description The public page of the fingerprint.
             */
            verify_url: string;
            /**
             * Format: date-time
             * @description When the report was completed.
             */
            generated_at: string;
            /** @description The located address on one line. */
            place: string;
            /** @description The days and the circle searched. */
            window: components["schemas"]["VerificationWindow"];
            /**
             * Format: date-time
             * @description Point in time of the archive that it was compiled from; null for the time of generation.
             */
            as_of: string | null;
            /**
             * Format: date
             * @description Date of loss, which it covers first; null if none was sent.
             */
            date_of_loss: string | null;
            /** @description The report's headline. */
            finding: string;
            /** @description True if coverage was complete and final, and nothing was made up. */
            authoritative: boolean;
            /** @description Records cited. */
            records: number;
            /** @description Station observations used. */
            observations: number;
            /** @description Sources searched. */
            sources_searched: number;
            /** @description Sources with at least one record. */
            sources_found: number;
            /** @description Its entry in the log of fingerprints; null until it has one, and for a report that is older than the log. */
            log: components["schemas"]["VerificationLog"] | null;
            /** @description Related links. */
            links: components["schemas"]["VerificationLinks"];
        };
        /** @description The days and the circle searched. */
        VerificationWindow: {
            /**
             * Format: date
             * @description First day.
             */
            start: string;
            /**
             * Format: date
             * @description Last day.
             */
            end: string;
            /** @description Radius around the address, in miles. */
            radius: number;
        };
        /** @description Entry of a fingerprint in the log of this service, and what is needed to check it. Bytes are base64. */
        VerificationLog: {
            /** @description Position of its entry, from 0. */
            index: number;
            /** @description Hashes of the tree (RFC 6962), from the entry's sibling to the root's child. */
            inclusion_proof: string[];
            /** @description The checkpoint that covers the entry: a note signed by the log, and by witnesses if there are any (C2SP tlog-checkpoint). */
            checkpoint: string;
            /** @description 32 bytes: the entry is the SHA-256 of "weather-report-log/1", a line feed, the salt, and the 32 bytes of the fingerprint. */
            salt: string;
            /** @description Timestamp of the checkpoint (RFC 3161 TimeStampToken); null if no authority stamped it. */
            timestamp: string | null;
        };
        /** @description Related links. */
        VerificationLinks: {
            /**
             * Format: uri
             * @description The report.
             */
            report: string;
        };
        /** @description A named place in the United States. */
        Place: {
            /** @description Id of the place. It never changes. */
            id: number;
            /**
             * @description Always `place`.
             * @constant
             */
            object: "place";
            /** @description Name of the place. */
            name: string;
            /** @description Name with the state, and with the county if the state has several places of this name. */
            full_name: string;
            /** @description Two-letter code of the state. */
            state: string;
            /** @description Degrees north. */
            latitude: number;
            /** @description Degrees east. */
            longitude: number;
        };
        /** @description One page of a list. */
        ContactPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Contact"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A person to contact about a property. Personal data. */
        Contact: {
            /** @description Id of the contact. */
            id: number;
            /**
             * @description Always `contact`.
             * @constant
             */
            object: "contact";
            /** @description Name of the person. */
            name: string;
            /** @description The contact's role at the property. */
            role: components["schemas"]["ContactRole"];
            /** @description Company of the person. */
            company: string | null;
            /** @description Telephone number, as sent. */
            phone: string | null;
            /** @description E-mail address. */
            email: string | null;
            /** @description The team's notes. */
            notes: string | null;
            /** @description True for the primary contact. Every property with contacts has exactly one. */
            primary: boolean;
            /** @description Where the contact came from: the team, a public record or a list. */
            source: components["schemas"]["ContactSource"];
            /**
             * Format: date-time
             * @description When it was added.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Related links. */
            links: components["schemas"]["ContactLinks"];
        };
        /**
         * @description The contact's role at the property.
         * @enum {string}
         */
        ContactRole: "owner" | "property_manager" | "tenant" | "site_contact" | "insurance_agent" | "adjuster" | "contractor" | "other";
        /**
         * @description Where the contact came from.
         * @enum {string}
         */
        ContactSource: "reported" | "public_record" | "imported";
        /** @description Related links. */
        ContactLinks: {
            /**
             * Format: uri
             * @description The property.
             */
            property: string;
        };
        /** @description One page of a list. */
        PropertyPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Property"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A saved property of the team. */
        Property: {
            /**
             * Format: uuid
             * @description Id of the property.
             */
            id: string;
            /**
             * @description Always `property`.
             * @constant
             */
            object: "property";
            /** @description Its label, or else its street, or else the address as sent. */
            name: string;
            /** @description Name given by the team. */
            label: string | null;
            /** @description The team's own reference, as sent. */
            reference: string | null;
            /** @description What kind of property it is. */
            kind: components["schemas"]["PropertyKind"];
            /** @description Whether it is watched. */
            status: components["schemas"]["PropertyStatus"];
            /** @description The address as sent and as located. */
            address: components["schemas"]["PropertyAddress"];
            /** @description Watch radius, in miles. */
            watch_radius_miles: number;
            /** @description Tags given by the team. */
            tags: string[];
            /** @description The team's notes. */
            notes: string | null;
            /**
             * Format: date
             * @description Date of its newest exposure; null if it has none.
             */
            last_activity_on: string | null;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Related links. */
            links: components["schemas"]["PropertyLinks"];
        };
        /**
         * @description What kind of property it is.
         * @enum {string}
         */
        PropertyKind: "residential" | "commercial" | "multifamily" | "industrial" | "land" | "other";
        /**
         * @description Watching: scanned for storms. Paused: kept but not scanned, and counted by the plan. Archived: kept but not scanned or counted.
         * @enum {string}
         */
        PropertyStatus: "watching" | "paused" | "archived";
        /** @description The address as sent and as located. All fields except query are null until it is located. */
        PropertyAddress: {
            /** @description The address as sent. */
            query: string;
            /** @description House number and street. */
            street: string | null;
            /** @description City. */
            city: string | null;
            /** @description Two-letter code of the state. */
            state: string | null;
            /** @description ZIP code. */
            postal_code: string | null;
            /** @description Name of the county. */
            county: string | null;
            /** @description Five digits of the county. */
            county_fips: string | null;
            /** @description Degrees north, 5 decimals. */
            latitude: number | null;
            /** @description Degrees east, 5 decimals. */
            longitude: number | null;
            /** @description False until the address is located. The property is watched from then on. */
            located: boolean;
            /** @description How precisely it was located. With zip or city, storms are searched around the centre of that area. */
            precision: components["schemas"]["PlacePrecision"] | null;
            /** @description Why it is not located; null if it is, or if the service has not tried yet. */
            failure_reason: components["schemas"]["LocationFailure"] | null;
            /** @description The reason in a sentence that names the fault. */
            failure_message: string | null;
        };
        /**
         * @description Why an address has no single location.
         * @enum {string}
         */
        LocationFailure: "address_not_found" | "address_ambiguous" | "outside_coverage";
        /** @description Related links. */
        PropertyLinks: {
            /**
             * Format: uri
             * @description The property.
             */
            self: string;
            /**
             * Format: uri
             * @description Storm days and warnings near it.
             */
            exposures: string;
            /**
             * Format: uri
             * @description Reports filed under it.
             */
            reports: string;
        };
        /** @description A saved property of the team, with its contacts. */
        PropertyWithContacts: {
            /**
             * Format: uuid
             * @description Id of the property.
             */
            id: string;
            /**
             * @description Always `property`.
             * @constant
             */
            object: "property";
            /** @description Its label, or else its street, or else the address as sent. */
            name: string;
            /** @description Name given by the team. */
            label: string | null;
            /** @description The team's own reference, as sent. */
            reference: string | null;
            /** @description What kind of property it is. */
            kind: components["schemas"]["PropertyKind"];
            /** @description Whether it is watched. */
            status: components["schemas"]["PropertyStatus"];
            /** @description The address as sent and as located. */
            address: components["schemas"]["PropertyAddress"];
            /** @description Watch radius, in miles. */
            watch_radius_miles: number;
            /** @description Tags given by the team. */
            tags: string[];
            /** @description The team's notes. */
            notes: string | null;
            /**
             * Format: date
             * @description Date of its newest exposure; null if it has none.
             */
            last_activity_on: string | null;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Related links. */
            links: components["schemas"]["PropertyLinks"];
            /** @description Its contacts: the primary contact first, then the oldest. */
            contacts: components["schemas"]["Contact"][];
        };
        /** @description One page of a list. */
        TerritoryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Territory"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description An area that the team watches. */
        Territory: {
            /**
             * Format: uuid
             * @description Id of the territory.
             */
            id: string;
            /**
             * @description Always `territory`.
             * @constant
             */
            object: "territory";
            /** @description Name given by the team. */
            name: string;
            /** @description How it was drawn. */
            kind: components["schemas"]["TerritoryKind"];
            /** @description Short description of the area. */
            description: string;
            /** @description The parts that make the area. */
            definition: (components["schemas"]["DrawnPart"] | components["schemas"]["CirclePart"] | components["schemas"]["PlacePart"])[];
            /** @description Whether it is watched. */
            status: components["schemas"]["TerritoryStatus"];
            /** @description Its area in square miles. */
            area_sq_miles: number;
            /**
             * @description Its colour as #RRGGBB.
             * @enum {string}
             */
            color: "#0F6E79" | "#4A5A6A" | "#5C7A3A" | "#A94F2D" | "#6E3B6E" | "#B8945A";
            /** @description The watched shape. A drawn shape is exactly as it was sent. */
            geometry: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"];
            /** @description Its centre. */
            centre: components["schemas"]["Centre"];
            /** @description Its bounding box. */
            bounds: components["schemas"]["Bounds"];
            /** @description The team's notes. */
            notes: string | null;
            /**
             * Format: date
             * @description Date of its newest exposure; null if it has none.
             */
            last_activity_on: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Related links. */
            links: components["schemas"]["TerritoryLinks"];
        };
        /**
         * @description How a territory was drawn: a shape, a circle, or circles around named places.
         * @enum {string}
         */
        TerritoryKind: "polygon" | "radius" | "places";
        /** @description A drawn polygon. */
        DrawnPart: {
            positions: number;
            holes: number;
        };
        /** @description A circle around an address, or around a point if only that was sent. */
        CirclePart: {
            address: string | null;
            latitude: number;
            longitude: number;
            radius_miles: number;
        };
        /** @description A circle around a named place. */
        PlacePart: {
            place_id: number;
            name: string;
            latitude: number;
            longitude: number;
            radius_miles: number;
        };
        /**
         * @description Watching: scanned for storms. Paused: kept but not scanned, and counted by the plan. Archived: kept but not scanned or counted.
         * @enum {string}
         */
        TerritoryStatus: "watching" | "paused" | "archived";
        /** @description The centre of a territory. */
        Centre: {
            /** @description Degrees north. */
            latitude: number;
            /** @description Degrees east. */
            longitude: number;
        };
        /** @description The bounding box of a territory, in degrees. */
        Bounds: {
            /** @description Its westernmost longitude. */
            west: number;
            /** @description Its southernmost latitude. */
            south: number;
            /** @description Its easternmost longitude. */
            east: number;
            /** @description Its northernmost latitude. */
            north: number;
        };
        /** @description Related links. */
        TerritoryLinks: {
            /**
             * Format: uri
             * @description The territory.
             */
            self: string;
            /**
             * Format: uri
             * @description Storm days and warnings inside it.
             */
            exposures: string;
        };
        /** @description Preview of a territory. */
        TerritoryQuote: {
            /**
             * @description Always `territory_quote`.
             * @constant
             */
            object: "territory_quote";
            /** @description How it would be drawn. */
            kind: components["schemas"]["TerritoryKind"];
            /** @description The shape that would be watched. */
            geometry: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"];
            /** @description Its centre. */
            centre: components["schemas"]["Centre"];
            /** @description Its bounding box. */
            bounds: components["schemas"]["Bounds"];
            /** @description Its area in square miles. */
            area_sq_miles: number;
            /** @description Whether the plan allows it. */
            allowed: boolean;
            /** @description Why it is not allowed; null if it is. */
            notice: string | null;
        };
        /**
         * @description A colour by name.
         * @enum {string}
         */
        Swatch: "petrol" | "slate" | "moss" | "rust" | "plum" | "sand";
        /** @description One page of a list. */
        IntegrationPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Integration"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description A destination that events are posted to. Its URL is never returned. */
        Integration: {
            /**
             * Format: uuid
             * @description Id of the destination.
             */
            id: string;
            /**
             * @description Always `integration`.
             * @constant
             */
            object: "integration";
            /** @description Name given by the team. */
            name: string;
            /** @description How the service posts to it. */
            channel: components["schemas"]["Channel"];
            /** @description The channel in words. */
            channel_label: string;
            /** @description Scheme, host and last characters of the URL. */
            address_hint: string;
            /** @description Names of the events that it receives. */
            events: components["schemas"]["EventName"][];
            /** @description False: nothing is sent. */
            active: boolean;
            /** @description True if posts carry a signature. */
            signed: boolean;
            /** @description True after three deliveries in a row have failed, until one arrives. */
            failing: boolean;
            /**
             * Format: date-time
             * @description When a post last arrived.
             */
            last_sent_at: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed.
             */
            last_failed_at: string | null;
            /** @description Why it failed. */
            last_failure: string | null;
            /** @description Set if the service switched it off: it responded with 410, or nothing had arrived for five days when a delivery failed for good or while its receiver asked for pauses. Null once it is active again. */
            switched_off: components["schemas"]["SwitchedOff"] | null;
            /**
             * Format: date-time
             * @description When it was registered.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /** @description Related links. */
            links: components["schemas"]["IntegrationLinks"];
        };
        /**
         * @description An event that a destination can subscribe to.
         * @enum {string}
         */
        EventName: "exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed";
        /**
         * @description Channel of a destination: how the service posts to it.
         * @enum {string}
         */
        Channel: "webhook" | "chat_a" | "chat_b";
        /** @description Details of a destination that the service, not the team, switched off. */
        SwitchedOff: {
            /**
             * Format: date-time
             * @description When it was switched off.
             */
            at: string;
            /** @description Why. */
            reason: string;
            /**
             * Format: date-time
             * @description When a member of the team acknowledged it; null until then.
             */
            acknowledged_at: string | null;
        };
        /** @description Related links. */
        IntegrationLinks: {
            /**
             * Format: uri
             * @description The destination.
             */
            self: string;
            /**
             * Format: uri
             * @description Its deliveries.
             */
            deliveries: string;
        };
        /** @description An event that a destination can subscribe to. */
        IntegrationEvent: {
            /**
             * @description Always `integration_event`.
             * @constant
             */
            object: "integration_event";
            /** @description Name to subscribe by. */
            name: components["schemas"]["EventName"];
            /** @description The event in a few words. */
            label: string;
            /** @description When it is emitted. */
            description: string;
            /**
             * @description Group of the event.
             * @enum {string}
             */
            group: "Monitoring" | "Properties" | "Reports";
        };
        /** @description The secret that signs the posts of a destination, and how it signs them. */
        SigningSecret: {
            /**
             * @description Always `signing_secret`.
             * @constant
             */
            object: "signing_secret";
            /**
             * Format: uuid
             * @description The destination.
             */
            integration_id: string;
            /** @description The secret. The whole text is the key, including its prefix. */
            secret: string;
            /**
             * @description Header that carries the signature.
             * @constant
             */
            header: "X-Service-Signature";
            /** @description How the signature is computed. */
            algorithm: string;
            /** @description Largest accepted difference between a timestamp and the current time, in seconds. */
            tolerance_seconds: number;
        };
        /** @description One page of a list. */
        DeliveryPage: {
            /** @description The rows of this page. */
            data: components["schemas"]["Delivery"][];
            /** @description Links to other pages, with the filters sent. */
            links: components["schemas"]["PageLinks"];
            /** @description Position of this page in the list. */
            meta: components["schemas"]["PageMeta"];
        };
        /** @description One post to one destination. */
        Delivery: {
            /**
             * Format: uuid
             * @description Id of the delivery. Every attempt carries it.
             */
            id: string;
            /**
             * @description Always `delivery`.
             * @constant
             */
            object: "delivery";
            /** @description Why it was sent. */
            kind: components["schemas"]["DeliveryKind"];
            /** @description Channel of the destination. */
            channel: components["schemas"]["Channel"];
            /** @description Status of the delivery. */
            status: components["schemas"]["DeliveryStatus"];
            /** @description The same in words. */
            status_label: string;
            /** @description Subject of the post. */
            subject: string;
            /** @description Scheme, host and last characters of the URL that it was sent to. */
            address_hint: string;
            /** @description Attempts made. */
            attempts: number;
            /** @description Status code of the last response; null if there was none. */
            response_code: number | null;
            /** @description Why the last attempt failed. */
            failure_reason: string | null;
            /** @description Exposures that it names. The body contains at most 50 in full: the first 50 of an alert, the newest 50 of a digest. */
            exposure_ids: number[];
            /**
             * Format: date-time
             * @description When it arrived.
             */
            sent_at: string | null;
            /**
             * Format: date-time
             * @description When the service stopped trying.
             */
            failed_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: uuid
             * @description Id of the destination, which may have been deleted.
             */
            integration_id: string;
        };
        /**
         * @description Why a delivery was sent.
         * @enum {string}
         */
        DeliveryKind: "event" | "test";
        /**
         * @description Status of a delivery; sent, failed and skipped are final.
         * @enum {string}
         */
        DeliveryStatus: "queued" | "retrying" | "sent" | "failed" | "skipped";
        /** @description A storm day over a box, moment by moment. */
        Playback: {
            /**
             * Format: date
             * @description The day.
             */
            date: string;
            /** @description The moments, in time order. */
            moments: components["schemas"]["PlaybackMoment"][];
            /** @description Reports and warnings of the day. */
            context: components["schemas"]["PlaybackContext"];
            /** @description Summary of the response. */
            meta: components["schemas"]["PlaybackMeta"];
        };
        /** @description What radar estimated at one moment. */
        PlaybackMoment: {
            /**
             * Format: date-time
             * @description The moment.
             */
            at: string;
            /** @description Places where it estimated hail: at most 5,000, the largest ones. */
            cells: components["schemas"]["PlaybackCell"][];
        };
        /** @description A place where radar estimated hail. */
        PlaybackCell: {
            /** @description Degrees north of its centre. */
            latitude: number;
            /** @description Degrees east of its centre. */
            longitude: number;
            /** @description Estimated hail size, in inches. */
            mesh_in: number;
        };
        /** @description Other records of the day. */
        PlaybackContext: {
            /** @description Reports of the day in the box, in time order. */
            reports: components["schemas"]["PlaybackReport"][];
            /** @description Warnings that overlapped the box on the day, in order of issue. */
            warnings: components["schemas"]["PlaybackWarning"][];
        };
        /** @description An observation by a person or an instrument on the ground. */
        PlaybackReport: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /** @description Type of the record. */
            type: components["schemas"]["RecordType"];
            /** @description Hail size, in inches; null for other types. */
            magnitude_in: number | null;
            /** @description Degrees north. */
            latitude: number;
            /** @description Degrees east. */
            longitude: number;
        };
        /** @description A warning in force on the day. */
        PlaybackWarning: {
            /** @description The event that the warning was about. */
            label: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            issued: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            expires: string;
        };
        /** @description Summary of the response. */
        PlaybackMeta: {
            /** @description Number of moments in the response. */
            count: number;
            /** @description Whether radar moments of the day are stored. They are deleted after a time; the swaths of the day are kept. */
            available: boolean;
            /** @description Whether moments or cells were left out; the largest are kept. */
            thinned: boolean;
            /**
             * Format: date-time
             * @description The first moment; null if there is none.
             */
            from: string | null;
            /**
             * Format: date-time
             * @description The last moment; null if there is none.
             */
            until: string | null;
            /** @description The hours whose largest estimates the single moment shows, dated to their middle; null if each moment is what radar estimated at that time. */
            largest_of: components["schemas"]["PlaybackHours"] | null;
            /** @description IANA time zone at the centre of the box. The day is a calendar day in this zone. */
            timezone: string;
            /** @description Number of reports of the day that name a county or a forecast zone in or beside the box, and no point: none of them is in the context. */
            reports_without_point: number;
        };
        /** @description Hours for which only the largest radar estimates are stored. */
        PlaybackHours: {
            /**
             * Format: date-time
             * @description When they began.
             */
            from: string;
            /**
             * Format: date-time
             * @description When they ended.
             */
            until: string;
        };
        LayoutInput: {
            sections?: ("summary" | "findings" | "map" | "timeline" | "events" | "observations" | "warnings" | "imagery" | "methodology")[] | null;
            imagery?: ("aerial" | "street_view" | "radar")[] | null;
            elements?: ("key_figures" | "timeline_chart" | "distance_rings" | "narratives" | "evidence_badges" | "prior_events" | "branding")[] | null;
            map?: {
                /**
                 * @default plain
                 * @enum {string|null}
                 */
                base: "plain" | "streets" | "aerial" | null;
                layers?: ("hail" | "wind" | "tornado" | "tornado_paths" | "flood" | "other" | "radar_hail" | "warnings" | "rings")[] | null;
            } | null;
        } | ("summary" | "findings" | "map" | "timeline" | "events" | "observations" | "warnings" | "imagery" | "methodology")[];
        /** @description Outcome of a batch of reports, row by row. */
        ReportBatch: {
            /**
             * @description Always `report_batch`.
             * @constant
             */
            object: "report_batch";
            /** @description Rows sent. */
            submitted: number;
            /** @description Rows that became a report, one credit each. */
            accepted: number;
            /** @description Rows that were invalid. */
            rejected: number;
            /** @description Rows not processed because credits ran out. */
            skipped: number;
            /** @description Credits that the batch cost. */
            credits_spent: number;
            /** @description The balance after the batch. */
            credits_remaining: number;
            /** @description True if credits ran out. */
            out_of_credits: boolean;
            /** @description The rows in the order sent. */
            results: components["schemas"]["ReportBatchRow"][];
        };
        /** @description Outcome of one row of a batch. */
        ReportBatchRow: {
            /** @description Position of the row in the request, from 0. */
            index: number;
            /** @description The address as sent. */
            address: string | null;
            /** @description Outcome of the row. */
            status: components["schemas"]["ReportBatchRowStatus"];
            /** @description Why it was not accepted. */
            message: string | null;
            /** @description The report; null if none was created. */
            report: components["schemas"]["Report"] | null;
        };
        /**
         * @description Outcome of a row; skipped if credits ran out.
         * @enum {string}
         */
        ReportBatchRowStatus: "accepted" | "rejected" | "skipped";
        ReportRowInput: {
            address?: string | null;
            latitude?: number | null;
            longitude?: number | null;
            /** Format: date */
            window_start?: string | null;
            /** Format: date */
            window_end?: string | null;
            radius_miles?: number | null;
            /** Format: date-time */
            as_of?: string | null;
            /** Format: date */
            date_of_loss?: string | null;
            reference?: string | null;
            /** Format: uuid */
            property_id?: string | null;
        } & ({
            address: string;
        } | {
            latitude: number;
            longitude: number;
        });
        /** @description A short-lived link to a document. */
        Download: {
            /**
             * @description Always `download`.
             * @constant
             */
            object: "download";
            /**
             * Format: uri
             * @description The link. Anyone who has it can read the document until it expires.
             */
            url: string;
            /** @description True: the link is signed and needs no token. */
            signed: boolean;
            /** @description Name to save it under. */
            filename: string;
            /**
             * @description Always `application/pdf`.
             * @constant
             */
            content_type: "application/pdf";
            /** @description Size in bytes. */
            bytes: number;
            /**
             * Format: date-time
             * @description When the link expires.
             */
            expires_at: string;
        };
        /** @description The document is still being rendered. */
        PdfPreparing: {
            /**
             * @description Always `pdf`.
             * @constant
             */
            object: "pdf";
            /**
             * @description Always `preparing`.
             * @constant
             */
            status: "preparing";
            /** @description Seconds to wait before the next request. */
            retry_after: number;
        };
        /** @description Outcome of a batch of properties, row by row. */
        PropertyBatch: {
            /**
             * @description Always `property_batch`.
             * @constant
             */
            object: "property_batch";
            /** @description Rows sent. */
            submitted: number;
            /** @description Rows that became a property. */
            created: number;
            /** @description Rows whose address already has a property. */
            duplicate: number;
            /** @description Rows that were invalid. */
            rejected: number;
            /** @description Rows not processed because the plan was full. */
            skipped: number;
            /** @description True if the plan was full. */
            plan_limit_reached: boolean;
            /** @description Tier that allows more; null if none is needed, or if there is none. */
            required_plan: components["schemas"]["Tier"] | null;
            /** @description The rows in the order sent. */
            results: components["schemas"]["PropertyBatchRow"][];
        };
        /** @description Outcome of one row of a batch. */
        PropertyBatchRow: {
            /** @description Position of the row in the request, from 0. */
            index: number;
            /** @description The address as sent. */
            address: string | null;
            /** @description Outcome of the row. */
            status: components["schemas"]["PropertyRowStatus"];
            /** @description Why nothing was created. */
            message: string | null;
            /** @description The new property, or the existing one at the address; null if neither. */
            property: components["schemas"]["Property"] | null;
        };
        /**
         * @description Outcome of a row; skipped if the plan was full.
         * @enum {string}
         */
        PropertyRowStatus: "created" | "duplicate" | "rejected" | "skipped";
        PropertyRowInput: {
            address?: string | null;
            latitude?: number | null;
            longitude?: number | null;
            label?: string | null;
            reference?: string | null;
            /**
             * @default other
             * @enum {string|null}
             */
            kind: "residential" | "commercial" | "multifamily" | "industrial" | "land" | "other" | null;
            /**
             * @default watching
             * @enum {string|null}
             */
            status: "watching" | "paused" | "archived" | null;
            /** @default 1 */
            watch_radius_miles: number | null;
            /** @default [] */
            tags: string[] | null;
            notes?: string | null;
        } & ({
            address: string;
        } | {
            latitude: number;
            longitude: number;
        });
        /** @description A destination just registered, with its signing secret. */
        RegisteredIntegration: {
            /** @description The destination. */
            data: components["schemas"]["Integration"];
            /** @description Secret that signs its posts; null for channels whose URL is the only secret. */
            secret: string | null;
        };
        /** @description Outcome of a test post. */
        IntegrationTest: {
            /**
             * @description Always `integration_test`.
             * @constant
             */
            object: "integration_test";
            /**
             * Format: uuid
             * @description The destination.
             */
            integration_id: string;
            /** @description True if the receiver responded with 2xx. */
            delivered: boolean;
            /** @description The receiver's response as plain text, shortened. */
            detail: string;
        };
        /** @description A new signing secret. The old one stopped working immediately. */
        RotatedSecret: {
            /**
             * @description Always `signing_secret`.
             * @constant
             */
            object: "signing_secret";
            /**
             * Format: uuid
             * @description The destination.
             */
            integration_id: string;
            /** @description The new secret. */
            secret: string;
            /**
             * @description Header that carries the signature.
             * @constant
             */
            header: "X-Service-Signature";
            /** @description What the rotation means for posts in transit. */
            notice: string;
        };
        /** @description Storm days and warnings at watched places. */
        AlertPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery. A repeat carries the same id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "alert";
            /** @constant */
            object: "alert";
            event: components["schemas"]["EventName"];
            /** @description Name of the team that the event belongs to. */
            team_name: string;
            /** @description Short form of the headline. */
            subject: string;
            /** @description Ids of all exposures that it is about. Fetch the exposures for their current state. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Page for people about the event.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Page that explains destinations.
             */
            settings_url: string;
            /** @description Summary in one line. */
            headline: string;
            /** @description First sentence of the text. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Link to more information.
             */
            link: string | null;
            /** @description Text of the link. */
            link_label: string | null;
            /** @description The exposures, the first 50 of exposure_ids. */
            data: components["schemas"]["Exposure"][];
            /** @description What escalated; null if nothing did. */
            escalation: {
                /** @description Largest measured hail before, in inches. */
                from_in: number | null;
                /** @description Largest measured hail now, in inches. */
                to_in: number | null;
                /** @description True if the first tornado, funnel cloud or waterspout was added. */
                tornado: boolean;
            } | null;
        };
        /** @description A property as it was when the post was sent. */
        PropertyPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery. A repeat carries the same id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "property";
            /** @constant */
            object: "property";
            event: components["schemas"]["EventName"];
            /** @description Name of the team that the event belongs to. */
            team_name: string;
            /** @description Short form of the headline. */
            subject: string;
            /** @description Ids of all exposures that it is about. Fetch the exposures for their current state. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Page for people about the event.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Page that explains destinations.
             */
            settings_url: string;
            /** @description Summary in one line. */
            headline: string;
            /** @description First sentence of the text. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Link to more information.
             */
            link: string | null;
            /** @description Text of the link. */
            link_label: string | null;
            /** @description The property. */
            data: (components["schemas"]["PropertyWithContacts"] | components["schemas"]["RemovedProperty"])[];
            /** @description Names of the fields that changed; empty for a new or removed property. */
            changed: string[];
            /**
             * @description Why the post is sent.
             * @enum {string}
             */
            reason: "change" | "sent" | "archived" | "removed";
        };
        /** @description A report as a single request returns it. */
        ReportPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery. A repeat carries the same id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "report";
            /** @constant */
            object: "report";
            event: components["schemas"]["EventName"];
            /** @description Name of the team that the event belongs to. */
            team_name: string;
            /** @description Short form of the headline. */
            subject: string;
            /** @description Ids of all exposures that it is about. Fetch the exposures for their current state. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Page for people about the event.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Page that explains destinations.
             */
            settings_url: string;
            /** @description Summary in one line. */
            headline: string;
            /** @description First sentence of the text. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Link to more information.
             */
            link: string | null;
            /** @description Text of the link. */
            link_label: string | null;
            /** @description The report. */
            data: components["schemas"]["Report"][];
            /** @description A link to the document; null until it is rendered. */
            download: components["schemas"]["Download"] | null;
        };
        /** @description Exposures announced, or announced again because they grew, from 7 AM to 7 AM in the team's time zone. Makes up for up to a week without a digest. */
        DigestPayload: {
            /**
             * Format: uuid
             * @description Id of the delivery. A repeat carries the same id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            created_at: string;
            /** @constant */
            kind: "digest";
            /** @constant */
            object: "digest";
            event: components["schemas"]["EventName"];
            /** @description Name of the team that the event belongs to. */
            team_name: string;
            /** @description Short form of the headline. */
            subject: string;
            /** @description Ids of all exposures that it is about. Fetch the exposures for their current state. */
            exposure_ids: number[];
            /**
             * Format: uri
             * @description Page for people about the event.
             */
            activity_url: string;
            /**
             * Format: uri
             * @description Page that explains destinations.
             */
            settings_url: string;
            /** @description Summary in one line. */
            headline: string;
            /** @description First sentence of the text. */
            lede: string;
            /** @description Further lines for a reader. */
            rows: string[];
            /** @description Labels and values for a reader. */
            facts: {
                label: string;
                value: string;
            }[];
            /**
             * Format: uri
             * @description Link to more information.
             */
            link: string | null;
            /** @description Text of the link. */
            link_label: string | null;
            /** @description The newest 50 exposures. */
            data: components["schemas"]["Exposure"][];
            /** @description The hours covered. */
            period: {
                /** Format: date-time */
                from: string;
                /** Format: date-time */
                to: string;
            };
            /** @description Counts of all. */
            totals: {
                exposures: number;
                properties: number;
                territories: number;
                warnings: number;
            };
        };
        /** @description What remains of a deleted property. */
        RemovedProperty: {
            /** Format: uuid */
            id: string;
            /** @constant */
            object: "property";
            /** @constant */
            removed: true;
        };
        /** @description Why a request was refused. All keys are always present. */
        Error: {
            /** @constant */
            object: "error";
            /**
             * @description The HTTP status.
             * @enum {integer}
             */
            status: 400 | 401 | 402 | 403 | 404 | 405 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 503;
            /**
             * @description Machine-readable reason.
             * @enum {string}
             */
            code: "malformed_request" | "unauthenticated" | "plan_limit" | "missing_ability" | "missing_role" | "not_found" | "method_not_allowed" | "idempotency_key_reused" | "idempotency_in_flight" | "duplicate_address" | "destination_cap_reached" | "url_required" | "no_signing_secret" | "report_not_ready" | "property_not_located" | "link_expired" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "malformed_json" | "rate_limited" | "engine_unavailable" | "server_error";
            /** @description Human-readable reason. */
            message: string;
            /** @description For 422: sentences by field or dotted path. */
            errors: {
                [key: string]: string[];
            } | null;
            /** @description For 403: the missing ability. */
            required_ability: components["schemas"]["Ability"] | null;
            /** @description For 402: the tier that would allow the request; null if none would. */
            required_plan: components["schemas"]["Tier"] | null;
            /**
             * @description For 402: the limit that was reached.
             * @enum {string|null}
             */
            limit: "api_access" | "layout" | "pdf_export" | "properties" | "territories" | "territory_area" | "watch_radius" | "lookback" | "credits" | "lapsed" | null;
            /**
             * Format: uuid
             * @description For a duplicate address: the property that has it.
             */
            existing_id: string | null;
            /** @description Seconds to wait before asking again. */
            retry_after: number | null;
            /** @description The request id, as in the header X-Request-Id. */
            request_id: string;
        };
    };
    responses: {
        /** @description The request is not valid HTTP/1.1, has no Host or more than one, or its body has an unsupported transfer coding. */
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "malformed_request";
                    /** @constant */
                    status?: 400;
                };
            };
        };
        /** @description The token is missing, unknown, expired or revoked. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "unauthenticated";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description The plan or the balance does not allow it: `limit` names the limit, `required_plan` the tier that would allow it. */
        PlanLimit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "plan_limit";
                    /** @constant */
                    status?: 402;
                };
            };
        };
        /** @description The token lacks `required_ability`. */
        MissingAbility: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "missing_ability";
                    /** @constant */
                    status?: 403;
                };
            };
        };
        /** @description The record does not exist, or belongs to another team. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "not_found";
                    /** @constant */
                    status?: 404;
                };
            };
        };
        /** @description The body is too large. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "payload_too_large";
                    /** @constant */
                    status?: 413;
                };
            };
        };
        /** @description The body is not application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "unsupported_media_type";
                    /** @constant */
                    status?: 415;
                };
            };
        };
        /** @description Values are invalid: `errors` lists every faulty field. Or the body is not a JSON object. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "validation_failed" | "malformed_json";
                    /** @constant */
                    status?: 422;
                };
            };
        };
        /** @description Too many requests. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "rate_limited";
                    /** @constant */
                    status?: 429;
                };
            };
        };
        /** @description A fault of the service. Quote `request_id` when you report it. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "server_error";
                    /** @constant */
                    status?: 500;
                };
            };
        };
        /** @description A required component is currently unavailable. */
        EngineUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {string} */
                    code?: "engine_unavailable";
                    /** @constant */
                    status?: 503;
                };
            };
        };
    };
    parameters: {
        /** @description A repeat with the same key within 24 hours does nothing, costs nothing, and returns 200 with the record as it is now. */
        IdempotencyKey: string;
        /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
        Signature: string;
        /** @description Name of the event. */
        EventHeader: string;
        /** @description Id of the delivery. A repeat carries the same id. */
        DeliveryHeader: string;
        /** @description The same id, as Standard Webhooks names it. */
        WebhookId: string;
        /** @description When this attempt was signed, in Unix seconds. */
        WebhookTimestamp: number;
        /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: {
        /** @description Id of the request, as in an error body. */
        "X-Request-Id": string;
        /** @description Requests allowed per minute. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this minute. */
        "X-RateLimit-Remaining": number;
        /** @description When the request is allowed again, in Unix seconds. */
        "X-RateLimit-Reset": number;
        /** @description Seconds to wait before asking again. */
        "Retry-After": number;
        /** @description The required authentication scheme. */
        "WWW-Authenticate": "Bearer";
        /** @description True for a repeat. */
        "Idempotent-Replay": "true";
        /** @description Identifies these bytes, for If-None-Match. */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    index: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @constant */
                            object: "index";
                            /**
                             * @description Version of the API, as in its paths.
                             * @constant
                             */
                            version: "v1";
                            /**
                             * Format: uri
                             * @description The OpenAPI document.
                             */
                            documentation: string;
                            abilities: {
                                name: components["schemas"]["Ability"];
                                label: string;
                                description: string;
                                /** @description Whether this token may use it. */
                                granted: boolean;
                            }[];
                            endpoints: {
                                /** @enum {string} */
                                method: "GET" | "POST" | "PATCH" | "DELETE";
                                path: string;
                                name: string;
                                /** @description Null: any valid token. */
                                ability: components["schemas"]["Ability"] | null;
                                /** @description Whether this token may use it. */
                                granted: boolean;
                            }[];
                            limits: {
                                per_page_max: number;
                                batch: {
                                    properties: number;
                                    reports: number;
                                };
                                download_link_ttl_minutes: number;
                                rate_limit_per_minute: number;
                                /** @description Tier of the team. */
                                plan: components["schemas"]["Tier"];
                            };
                        };
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "account.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "team.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Team"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "credits.show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Credits"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "credits.transactions": {
        parameters: {
            query?: {
                /** @description Only entries of this kind. */
                kind?: components["schemas"]["CreditKind"];
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditTransactionPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "monitoring.runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonitoringRunList"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        servers: {
                            [key: string]: unknown;
                        }[];
                        security: {
                            [key: string]: unknown;
                        }[];
                        tags: {
                            [key: string]: unknown;
                        }[];
                        paths: {
                            [key: string]: unknown;
                        };
                        webhooks: {
                            [key: string]: unknown;
                        };
                        components: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.list": {
        parameters: {
            query?: {
                /** @description Only reports with this status. */
                status?: components["schemas"]["ReportStatus"];
                /** @description Only reports whose address contains this text: 1 to 100 characters. */
                address?: string;
                /** @description Only reports filed under this saved property. */
                property?: string;
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does nothing, costs nothing, and returns 200 with the record as it is now. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Address in the United States, or its coordinates, such as "33.1499, -96.8241": 3 to 255 characters. It is required unless latitude and longitude are sent. */
                    address?: string | null;
                    /** @description Degrees north, sent with longitude: -90 to 90 degrees. With an address, the coordinates give the location and the address gives the name of the same place. */
                    latitude?: number | null;
                    /** @description Degrees east, sent with latitude: -180 to 180 degrees. Western longitudes are negative. */
                    longitude?: number | null;
                    /**
                     * Format: date
                     * @description First day; must be in the past.
                     */
                    window_start: string;
                    /**
                     * Format: date
                     * @description Last day; on or after window_start.
                     */
                    window_end: string;
                    /**
                     * @description Radius around the address, which the plan may reduce: 1 to 100 miles; default 5.
                     * @default 5
                     */
                    radius_miles?: number | null;
                    /**
                     * Format: date-time
                     * @description Point in time for the report: it uses only what the archive knew then.
                     */
                    as_of?: string | null;
                    /**
                     * Format: date
                     * @description Date of loss, a local day of the place within the window. The report covers it first.
                     */
                    date_of_loss?: string | null;
                    /** @description The caller's own reference, returned unchanged: at most 100 characters. */
                    reference?: string | null;
                    /** @description Text printed on the cover: at most 160 characters. */
                    recipient?: string | null;
                    /**
                     * Format: uuid
                     * @description Saved property to file the report under.
                     */
                    property_id?: string | null;
                    /** @description Layout of the document. Needs a plan with custom layouts. */
                    layout?: components["schemas"]["LayoutInput"] | null;
                } & ({
                    address: string;
                } | {
                    latitude: number;
                    longitude: number;
                });
            };
        };
        responses: {
            /** @description A repeat of an earlier request. Nothing was done; the body is the record as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.events": {
        parameters: {
            query?: {
                /** @description Only records of this type. */
                type?: components["schemas"]["RecordType"];
                /** @description Only records of this family. */
                family?: components["schemas"]["Family"];
                /** @description Only records of this date or later. */
                from?: string;
                /** @description Only records of this date or earlier. */
                to?: string;
                /** @description Only hail at least this large: 0 inches or more. */
                min_hail_in?: number;
                /** @description Only gusts at least this strong: 0 miles an hour or more. */
                min_gust_mph?: number;
                /** @description True: only records seen at the ground or measured. False: only estimates. */
                observed?: boolean;
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CitedRecordPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.verification": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Verification"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "report_not_ready";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.pdf": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            /** @description Still being rendered. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PdfPreparing"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "report_not_ready";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.pdf.link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the report. */
                report: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Download"];
                };
            };
            /** @description Still being rendered. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PdfPreparing"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "report_not_ready";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "reports.batch": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does nothing, costs nothing, and returns 200 with the record as it is now. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The rows: 1 to 25. */
                    reports: components["schemas"]["ReportRowInput"][];
                    /**
                     * Format: date
                     * @description First day for rows without one.
                     */
                    window_start?: string | null;
                    /**
                     * Format: date
                     * @description Last day for rows without one.
                     */
                    window_end?: string | null;
                    /**
                     * @description Radius for rows without one: 1 to 100 miles; default 5.
                     * @default 5
                     */
                    radius_miles?: number | null;
                    /**
                     * Format: date-time
                     * @description Point in time of the report, for rows without one.
                     */
                    as_of?: string | null;
                    /**
                     * Format: date
                     * @description Date of loss, for rows without one.
                     */
                    date_of_loss?: string | null;
                    /** @description Layout of every document. Needs a plan with custom layouts. */
                    layout?: components["schemas"]["LayoutInput"] | null;
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request. Nothing was done; the body is the record as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportBatch"];
                };
            };
            /** @description All rows succeeded. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportBatch"];
                };
            };
            /** @description Rows have different outcomes. Each states its own. */
            207: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportBatch"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.list": {
        parameters: {
            query?: {
                /** @description Only properties with this status. */
                status?: components["schemas"]["PropertyStatus"];
                /** @description Only properties with this tag: 1 to 100 characters. Case does not matter. */
                tag?: string;
                /** @description Only properties whose name, address or reference contains this text: 1 to 100 characters. */
                search?: string;
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Address in the United States, or its coordinates, such as "33.1499, -96.8241": 3 to 255 characters. It is required unless latitude and longitude are sent. */
                    address?: string | null;
                    /** @description Degrees north, sent with longitude: -90 to 90 degrees. With an address, the coordinates give the location and the address gives the name of the same place. */
                    latitude?: number | null;
                    /** @description Degrees east, sent with latitude: -180 to 180 degrees. Western longitudes are negative. */
                    longitude?: number | null;
                    /** @description Name of the property: 1 to 120 characters. */
                    label?: string | null;
                    /** @description The team's own reference: at most 100 characters. */
                    reference?: string | null;
                    /**
                     * @description What kind of property it is; default other.
                     * @default other
                     */
                    kind?: components["schemas"]["PropertyKind"] | null;
                    /**
                     * @description Whether it is watched; default watching.
                     * @default watching
                     */
                    status?: components["schemas"]["PropertyStatus"] | null;
                    /**
                     * @description Watch radius, within the limit of the plan: 0.5 to 10 miles; default 1.
                     * @default 1
                     */
                    watch_radius_miles?: number | null;
                    /**
                     * @description Tags: at most 10, each 1 to 40 characters. They replace the whole list.
                     * @default []
                     */
                    tags?: string[] | null;
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                } & ({
                    address: string;
                } | {
                    latitude: number;
                    longitude: number;
                });
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "duplicate_address";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Address in the United States, or its coordinates, such as "33.1499, -96.8241": 3 to 255 characters. It is required unless latitude and longitude are sent. */
                    address?: string;
                    /** @description Degrees north, sent with longitude: -90 to 90 degrees. With an address, the coordinates give the location and the address gives the name of the same place. */
                    latitude?: number;
                    /** @description Degrees east, sent with latitude: -180 to 180 degrees. Western longitudes are negative. */
                    longitude?: number;
                    /** @description Name of the property: 1 to 120 characters. */
                    label?: string | null;
                    /** @description The team's own reference: at most 100 characters. */
                    reference?: string | null;
                    /** @description What kind of property it is. */
                    kind?: components["schemas"]["PropertyKind"];
                    /** @description Whether it is watched. */
                    status?: components["schemas"]["PropertyStatus"];
                    /** @description Watch radius, within the limit of the plan: 0.5 to 10 miles. */
                    watch_radius_miles?: number;
                    /** @description Tags: at most 10, each 1 to 40 characters. They replace the whole list. */
                    tags?: string[];
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "duplicate_address";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.batch": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does nothing, costs nothing, and returns 200 with the record as it is now. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The rows: 1 to 100. */
                    properties: components["schemas"]["PropertyRowInput"][];
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request. Nothing was done; the body is the record as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyBatch"];
                };
            };
            /** @description All rows succeeded. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyBatch"];
                };
            };
            /** @description Rows have different outcomes. Each states its own. */
            207: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PropertyBatch"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.reports.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does nothing, costs nothing, and returns 200 with the record as it is now. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: date
                     * @description First day; by default the first day that the plan reaches.
                     */
                    window_start?: string | null;
                    /**
                     * Format: date
                     * @description Last day; today by default.
                     */
                    window_end?: string | null;
                    /** @description Radius around it, which the plan may reduce; the watch radius by default: 1 to 100 miles. */
                    radius_miles?: number | null;
                    /**
                     * Format: date-time
                     * @description Point in time for the report: it uses only what the archive knew then.
                     */
                    as_of?: string | null;
                    /**
                     * Format: date
                     * @description Date of loss, a local day of the place within the window. The report covers it first.
                     */
                    date_of_loss?: string | null;
                    /** @description Text printed on the cover: at most 160 characters. */
                    recipient?: string | null;
                    /** @description Layout of the document. Needs a plan with custom layouts. */
                    layout?: components["schemas"]["LayoutInput"] | null;
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request. Nothing was done; the body is the record as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Report"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.exposures": {
        parameters: {
            query?: {
                /** @description Only exposures that changed after this time. To sync, begin with 2000-01-01T00:00:00Z, follow `links.next` to the last page, and then send the largest `last_seen_at` that you have seen: nothing is missed. Pages that are read by number alone may miss what changes between two of them. */
                since?: string;
                /** @description First day. */
                from?: string;
                /** @description Last day. */
                to?: string;
                /** @description Only storm days, or only warnings. */
                kind?: components["schemas"]["ExposureKind"];
                /** @description True: only exposures that are neither acknowledged nor dismissed. False: only exposures that are either. */
                open?: boolean;
                /** @description Only exposures at this kind of watched place. */
                subject?: components["schemas"]["WatchSubject"];
                /** @description Only exposures whose largest measured hail is at least this large: 0 inches or more. */
                min_measured_in?: number;
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
                /** @description Where this page continues a listing with `since`, as in `links.next` of the page before it. Leave it out for the first page. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposurePage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.enrich": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PropertyWithContacts"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "property_not_located" | "duplicate_address";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.list": {
        parameters: {
            query?: {
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContactPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.create": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 120 characters. */
                    name: string;
                    /**
                     * @description The contact's role at the property; default owner.
                     * @default owner
                     */
                    role?: components["schemas"]["ContactRole"] | null;
                    /** @description Company: 1 to 120 characters. */
                    company?: string | null;
                    /** @description Telephone number: 1 to 40 characters. */
                    phone?: string | null;
                    /** @description E-mail address: 3 to 254 characters. */
                    email?: string | null;
                    /** @description Notes: at most 2000 characters. */
                    notes?: string | null;
                    /**
                     * @description True makes it the primary contact, in place of the current one; default false.
                     * @default false
                     */
                    primary?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
                /** @description Id of the contact. */
                contact: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "properties.contacts.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the property. */
                property: string;
                /** @description Id of the contact. */
                contact: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 120 characters. */
                    name?: string;
                    /** @description The contact's role at the property. */
                    role?: components["schemas"]["ContactRole"];
                    /** @description Company: 1 to 120 characters. */
                    company?: string | null;
                    /** @description Telephone number: 1 to 40 characters. */
                    phone?: string | null;
                    /** @description E-mail address: 3 to 254 characters. */
                    email?: string | null;
                    /** @description Notes: at most 2000 characters. */
                    notes?: string | null;
                    /** @description True makes it the primary contact, in place of the current one. */
                    primary?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.list": {
        parameters: {
            query?: {
                /** @description Only territories with this status. */
                status?: components["schemas"]["TerritoryStatus"];
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TerritoryPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with the same key within 24 hours does nothing, costs nothing, and returns 200 with the record as it is now. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the territory: 1 to 120 characters. */
                    name: string;
                    /** @description How it is drawn. */
                    kind: components["schemas"]["TerritoryKind"];
                    /**
                     * @description Whether it is watched; default watching.
                     * @default watching
                     */
                    status?: components["schemas"]["TerritoryStatus"] | null;
                    /**
                     * @description Its colour; default petrol.
                     * @default petrol
                     */
                    colour?: components["schemas"]["Swatch"] | null;
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                    /** @description Shape, for the kind polygon: at most 10,000 positions and 100 polygons. It is never repaired. */
                    geometry?: (components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"] | components["schemas"]["PolygonFeature"]) | null;
                    /** @description Address of the centre, for the kind radius: 3 to 255 characters. */
                    address?: string | null;
                    /** @description Latitude of the centre instead of an address, for the kind radius: -90 to 90 degrees. North is positive. */
                    latitude?: number | null;
                    /** @description Longitude of the centre instead of an address, for the kind radius: -180 to 180 degrees. East is positive. */
                    longitude?: number | null;
                    /** @description Radius, for the kinds radius and places, within the area that the plan allows: 0.5 to 100 miles. */
                    radius_miles?: number | null;
                    /** @description Ids from the place lookup, for the kind places: 1 to 50. */
                    place_ids?: number[] | null;
                };
            };
        };
        responses: {
            /** @description A repeat of an earlier request. Nothing was done; the body is the record as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replay": components["headers"]["Idempotent-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "idempotency_key_reused" | "idempotency_in_flight";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name of the territory: 1 to 120 characters. */
                    name: string;
                    /** @description How it is drawn. */
                    kind: components["schemas"]["TerritoryKind"];
                    /**
                     * @description Whether it is watched; default watching.
                     * @default watching
                     */
                    status?: components["schemas"]["TerritoryStatus"] | null;
                    /**
                     * @description Its colour; default petrol.
                     * @default petrol
                     */
                    colour?: components["schemas"]["Swatch"] | null;
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                    /** @description Shape, for the kind polygon: at most 10,000 positions and 100 polygons. It is never repaired. */
                    geometry?: (components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"] | components["schemas"]["PolygonFeature"]) | null;
                    /** @description Address of the centre, for the kind radius: 3 to 255 characters. */
                    address?: string | null;
                    /** @description Latitude of the centre instead of an address, for the kind radius: -90 to 90 degrees. North is positive. */
                    latitude?: number | null;
                    /** @description Longitude of the centre instead of an address, for the kind radius: -180 to 180 degrees. East is positive. */
                    longitude?: number | null;
                    /** @description Radius, for the kinds radius and places, within the area that the plan allows: 0.5 to 100 miles. */
                    radius_miles?: number | null;
                    /** @description Ids from the place lookup, for the kind places: 1 to 50. */
                    place_ids?: number[] | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TerritoryQuote"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name of the territory: 1 to 120 characters. */
                    name?: string;
                    /** @description How it is drawn. A different kind needs all of its fields. */
                    kind?: components["schemas"]["TerritoryKind"];
                    /** @description Whether it is watched. */
                    status?: components["schemas"]["TerritoryStatus"];
                    /** @description Its colour. */
                    colour?: components["schemas"]["Swatch"];
                    /** @description Notes: at most 5000 characters. */
                    notes?: string | null;
                    /** @description Shape, for the kind polygon: at most 10,000 positions and 100 polygons. It is never repaired. */
                    geometry?: components["schemas"]["Polygon"] | components["schemas"]["MultiPolygon"] | components["schemas"]["PolygonFeature"];
                    /** @description Address of the centre, for the kind radius: 3 to 255 characters. */
                    address?: string;
                    /** @description Latitude of the centre instead of an address, for the kind radius: -90 to 90 degrees. North is positive. */
                    latitude?: number;
                    /** @description Longitude of the centre instead of an address, for the kind radius: -180 to 180 degrees. East is positive. */
                    longitude?: number;
                    /** @description Radius, for the kinds radius and places, within the area that the plan allows: 0.5 to 100 miles. */
                    radius_miles?: number;
                    /** @description Ids from the place lookup, for the kind places: 1 to 50. */
                    place_ids?: number[];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description New status; default watching.
                     * @default watching
                     */
                    status: components["schemas"]["TerritoryStatus"];
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Territory"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "territories.exposures": {
        parameters: {
            query?: {
                /** @description Only exposures that changed after this time. To sync, begin with 2000-01-01T00:00:00Z, follow `links.next` to the last page, and then send the largest `last_seen_at` that you have seen: nothing is missed. Pages that are read by number alone may miss what changes between two of them. */
                since?: string;
                /** @description First day. */
                from?: string;
                /** @description Last day. */
                to?: string;
                /** @description Only storm days, or only warnings. */
                kind?: components["schemas"]["ExposureKind"];
                /** @description True: only exposures that are neither acknowledged nor dismissed. False: only exposures that are either. */
                open?: boolean;
                /** @description Only exposures at this kind of watched place. */
                subject?: components["schemas"]["WatchSubject"];
                /** @description Only exposures whose largest measured hail is at least this large: 0 inches or more. */
                min_measured_in?: number;
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
                /** @description Where this page continues a listing with `since`, as in `links.next` of the page before it. Leave it out for the first page. */
                after?: string;
            };
            header?: never;
            path: {
                /** @description Id of the territory. */
                territory: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposurePage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "places.list": {
        parameters: {
            query: {
                /** @description A place name, optionally with its state (Moore, OK): 2 to 100 characters. */
                search: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["Place"][];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.list": {
        parameters: {
            query?: {
                /** @description Only exposures that changed after this time. To sync, begin with 2000-01-01T00:00:00Z, follow `links.next` to the last page, and then send the largest `last_seen_at` that you have seen: nothing is missed. Pages that are read by number alone may miss what changes between two of them. */
                since?: string;
                /** @description First day. */
                from?: string;
                /** @description Last day. */
                to?: string;
                /** @description Only storm days, or only warnings. */
                kind?: components["schemas"]["ExposureKind"];
                /** @description True: only exposures that are neither acknowledged nor dismissed. False: only exposures that are either. */
                open?: boolean;
                /** @description Only exposures at this kind of watched place. */
                subject?: components["schemas"]["WatchSubject"];
                /** @description Only exposures whose largest measured hail is at least this large: 0 inches or more. */
                min_measured_in?: number;
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
                /** @description Where this page continues a listing with `since`, as in `links.next` of the page before it. Leave it out for the first page. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposurePage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the exposure. */
                exposure: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Exposure"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the exposure. */
                exposure: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description True dismisses it, false acknowledges it; default false.
                     * @default false
                     */
                    dismiss?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Exposure"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "exposures.reopen": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the exposure. */
                exposure: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Exposure"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.list": {
        parameters: {
            query?: {
                /** @description Only destinations of this channel. */
                channel?: components["schemas"]["Channel"];
                /** @description Only destinations subscribed to this event. */
                event?: "exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed";
                /** @description Only active ones, or only inactive ones. */
                active?: boolean;
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 80 characters. */
                    name: string;
                    /** @description How the service posts to it. */
                    channel: components["schemas"]["Channel"];
                    /** @description URL to post to, https: 1 to 2048 characters. It is never returned. */
                    url: string;
                    /** @description Names from the catalogue: at least 1. */
                    events: ("exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed")[];
                    /**
                     * @description False registers it without sending; default true.
                     * @default true
                     */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredIntegration"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "destination_cap_reached";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.destroy": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.update": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Name: 1 to 80 characters. */
                    name?: string;
                    /** @description How the service posts to it. A different channel needs a new url. */
                    channel?: components["schemas"]["Channel"];
                    /** @description URL to post to, https: 1 to 2048 characters. */
                    url?: string;
                    /** @description Names from the catalogue: at least 1. */
                    events?: ("exposure.detected" | "exposure.escalated" | "warning.issued" | "digest.sent" | "property.created" | "property.updated" | "property.archived" | "report.completed" | "report.pdf_ready" | "report.failed")[];
                    /** @description Whether anything is sent. */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Integration"];
                    };
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "url_required";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        object: "list";
                        data: components["schemas"]["IntegrationEvent"][];
                    };
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delivered. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            /** @description The receiver refused the post or failed. The detail contains its response. */
            502: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntegrationTest"];
                };
            };
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.secret.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningSecret"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "no_signing_secret";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.secret.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            /** @description The request conflicts with the current state or with a request in progress: `code` states how. */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {string} */
                        code?: "no_signing_secret";
                        /** @constant */
                        status?: 409;
                    };
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "integrations.deliveries": {
        parameters: {
            query?: {
                /** @description Only deliveries with this status. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path: {
                /** @description Id of the destination. */
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "deliveries.list": {
        parameters: {
            query?: {
                /** @description Only deliveries with this status. */
                status?: components["schemas"]["DeliveryStatus"];
                /** @description Page to read: 1 or more; default 1. A page past the end is empty. */
                page?: number;
                /** @description Rows on a page: 1 to 100; default 25. A size outside the bounds is set to the nearest bound. */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "maps.tile": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Zoom level. */
                z: number;
                /** @description Column of the tile, from the west. */
                x: number;
                /** @description Row of the tile, from the north. */
                y: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-protobuf": string;
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "maps.playback": {
        parameters: {
            query: {
                /** @description The calendar date at the centre of the box. */
                date: string;
                /** @description Southern edge of the box, north positive: -90 to 90 degrees. */
                south: number;
                /** @description Western edge, east positive: -180 to 180 degrees. */
                west: number;
                /** @description Northern edge, north positive: -90 to 90 degrees. */
                north: number;
                /** @description Eastern edge, east positive: -180 to 180 degrees. */
                east: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Playback"];
                };
            };
            /** @description The client already has this response. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PlanLimit"];
            403: components["responses"]["MissingAbility"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["EngineUnavailable"];
        };
    };
    "webhooks.exposure.detected": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertPayload"] & {
                    /** @constant */
                    event: "exposure.detected";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.exposure.escalated": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertPayload"] & {
                    /** @constant */
                    event: "exposure.escalated";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.warning.issued": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AlertPayload"] & {
                    /** @constant */
                    event: "warning.issued";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.digest.sent": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DigestPayload"] & {
                    /** @constant */
                    event: "digest.sent";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.property.created": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyPayload"] & {
                    /** @constant */
                    event: "property.created";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.property.updated": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyPayload"] & {
                    /** @constant */
                    event: "property.updated";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.property.archived": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyPayload"] & {
                    /** @constant */
                    event: "property.archived";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.report.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportPayload"] & {
                    /** @constant */
                    event: "report.completed";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.report.pdf_ready": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportPayload"] & {
                    /** @constant */
                    event: "report.pdf_ready";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "webhooks.report.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>, keyed with the whole secret. Refuse a timestamp more than 300 seconds from now. */
                "X-Service-Signature": components["parameters"]["Signature"];
                /** @description Name of the event. */
                "X-Service-Event": components["parameters"]["EventHeader"];
                /** @description Id of the delivery. A repeat carries the same id. */
                "X-Service-Delivery": components["parameters"]["DeliveryHeader"];
                /** @description The same id, as Standard Webhooks names it. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When this attempt was signed, in Unix seconds. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description The signature of Standard Webhooks, keyed with the decoded bytes of the secret. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportPayload"] & {
                    /** @constant */
                    event: "report.failed";
                };
            };
        };
        responses: {
            /** @description Not retried. The destination is switched off. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. The destination gets no post for the time in Retry-After, one hour at most. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. With Retry-After, the destination gets no post for that time, one hour at most. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Received. Any 2xx response within 15 seconds counts. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received. Retried on the schedule. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
