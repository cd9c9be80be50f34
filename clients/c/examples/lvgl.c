/* SPDX-License-Identifier: MIT */
/* Gives LVGL 9 the finger of the press in a region, and the gestures of all regions as events of the screen. */
#include <gestured.h>
#include <lvgl.h>

static struct gestured *client;
static lv_indev_data_t finger;
static uint32_t gesture_event;

/* LVGL calls this for each frame. */
static void read_finger(lv_indev_t *device, lv_indev_data_t *data) {
    const struct gestured_event *event;
    (void)device;
    gestured_dispatch(client);
    while ((event = gestured_next_event(client))) {
        const struct gestured_gesture *gesture = gestured_event_get_gesture(event);
        if (!gesture) continue;
        if (gesture->x == gesture->x) {
            finger.point.x = (int32_t)gesture->x;
            finger.point.y = (int32_t)gesture->y;
        }
        if (gesture->phase == GESTURED_PHASE_NONE) {
            lv_obj_send_event(lv_screen_active(), gesture_event, (void *)gesture);
        } else {
            bool is_down = gesture->phase == GESTURED_PHASE_BEGIN || gesture->phase == GESTURED_PHASE_UPDATE;
            finger.state = is_down ? LV_INDEV_STATE_PRESSED : LV_INDEV_STATE_RELEASED;
        }
    }
    *data = finger;
}

void gestured_lvgl_start(void) {
    struct gestured_options options = {0};
    lv_indev_t *device = lv_indev_create();
    client = gestured_new(NULL);
    options.gestures = "press drag tap swipe";
    options.phases = "begin update end cancel";
    gestured_subscribe(client, &options);
    gesture_event = lv_event_register_id();
    lv_indev_set_type(device, LV_INDEV_TYPE_POINTER);
    lv_indev_set_read_cb(device, read_finger);
}
