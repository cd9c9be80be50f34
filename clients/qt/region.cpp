// SPDX-License-Identifier: MIT
#include "region.hpp"

#include "gestured.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScreen>
#include <QtQml/qqmlinfo.h>
#include <cmath>
#include <unistd.h>

Region::Region(QQuickItem *parent) : QQuickItem(parent) {
    connect(this, &Region::definitionChanged, this, [this] {
        m_definition.clear();
        m_hasWarned = false;
        schedule();
    });
    connect(this, &QQuickItem::enabledChanged, this, &Region::schedule);
    connect(this, &QQuickItem::visibleChanged, this, &Region::schedule);
}

Region::~Region() {
    if (m_connection) m_connection->remove(this);
    cancelAll();
}

void Region::componentComplete() {
    QQuickItem::componentComplete();
    m_connection = Gestured::of(this);
    if (!m_connection) return warn(QStringLiteral("a region needs a QML engine"));
    // Other programs may have regions without names, too.
    static int lastNumber = 0;
    m_number = QStringLiteral("%1.%2").arg(getpid()).arg(++lastNumber);
    m_connection->add(this);
    if (window()) m_connection->follow(window());
}

void Region::itemChange(ItemChange change, const ItemChangeData &data) {
    if (change == ItemSceneChange) {
        disconnect(m_visibility);
        // Frames are rendered whenever something that is visible has changed. A window that is hidden renders none.
        if (data.window) m_visibility = connect(data.window, &QWindow::visibilityChanged, this, &Region::schedule);
        if (data.window && m_connection) m_connection->follow(data.window);
        schedule();
    }
    QQuickItem::itemChange(change, data);
}

void Region::schedule() {
    if (m_connection) m_connection->schedule();
}

QString Region::id() const { return m_connection ? m_connection->prefix() + (m_name.isEmpty() ? m_number : m_name) : m_name; }

bool Region::isShown() const {
    return window() && window()->isVisible() && window()->visibility() != QWindow::Minimized && isVisible() && isEnabled()
        && !m_gestures.isEmpty();
}

/// The transformation from the window to parts of the output, which the screen fills. A Wayland compositor does not tell where a
/// window is.
QTransform Region::sceneToOutput() const {
    if (window()->visibility() == QWindow::FullScreen) return QTransform::fromScale(1.0 / window()->width(), 1.0 / window()->height());
    const QRectF screen = window()->screen()->geometry();
    const QPointF place = window()->contentItem()->mapToGlobal(QPointF()) - screen.topLeft();
    return QTransform::fromTranslate(place.x(), place.y()) * QTransform::fromScale(1 / screen.width(), 1 / screen.height());
}

static bool isUpright(const QPolygonF &corners) {
    for (qsizetype index = 1; index < corners.size(); index++) {
        const QPointF side = corners[index] - corners[index - 1];
        if (std::min(std::abs(side.x()), std::abs(side.y())) > 1e-6) return false;
    }
    return corners.size() == 5;
}

static QPolygonF common(const QPolygonF &a, const QPolygonF &b) {
    if (isUpright(a) && isUpright(b)) return QPolygonF(a.boundingRect() & b.boundingRect());
    return a.intersected(b);
}

bool Region::updateOutline() {
    QPolygonF outline = itemTransform(nullptr, nullptr).map(QPolygonF(boundingRect()));
    for (QQuickItem *item = parentItem(); item; item = item->parentItem())
        // A view does not show the delegates that it keeps outside.
        if (item->clip() || item->inherits("QQuickItemView"))
            outline = common(outline, item->itemTransform(nullptr, nullptr).map(QPolygonF(item->clipRect())));
    outline = common(outline, QPolygonF(QRectF(QPointF(), window()->size())));
    m_outline = sceneToOutput().map(outline);
    m_bounds = m_outline.boundingRect();
    return m_bounds.width() > 1e-5 && m_bounds.height() > 1e-5;
}

static QString percent(qreal part) { return QString::number(part * 100, 'f', 4) + QLatin1Char('%'); }

QByteArray Region::definition(const QSet<const QQuickItem *> &possible) {
    const QQuickItem *ancestor = parentItem();
    while (ancestor && !possible.contains(ancestor)) ancestor = ancestor->parentItem();
    const auto *surrounding = static_cast<const Region *>(ancestor);
    // In a region, lengths are parts of its bounding box.
    const QRectF box = surrounding ? surrounding->m_bounds : QRectF(0, 0, 1, 1);
    const QStringList ids{id(), surrounding ? surrounding->id() : QString(), m_connection->device()};
    if (!m_definition.isEmpty() && m_definedOutline == m_outline && m_definedBox == box && m_definedIds == ids) return m_definition;

    const auto x = [&](qreal part) { return percent((part - box.x()) / box.width()); };
    const auto y = [&](qreal part) { return percent((part - box.y()) / box.height()); };
    QJsonObject shape;
    if (isUpright(m_outline)) {
        shape["rect"] = QJsonArray{
            x(m_bounds.x()), y(m_bounds.y()), percent(m_bounds.width() / box.width()), percent(m_bounds.height() / box.height())};
    } else {
        QJsonArray polygon;
        for (qsizetype index = m_outline.isClosed() ? 1 : 0; index < m_outline.size(); index++)
            polygon.append(QJsonArray{x(m_outline[index].x()), y(m_outline[index].y())});
        shape["polygon"] = polygon;
    }
    QJsonObject region = QJsonObject::fromVariantMap(m_keys);
    if (surrounding) region["parent"] = surrounding->id();
    region["id"] = id();
    region["shape"] = shape;
    region["gestures"] = QJsonArray::fromVariantList(m_gestures);
    if (!m_connection->device().isEmpty()) region["device"] = m_connection->device();
    m_definition = QJsonDocument(region).toJson(QJsonDocument::Compact);
    m_definedOutline = m_outline;
    m_definedBox = box;
    m_definedIds = ids;
    return m_definition;
}

QList<QPair<qreal, int>> Region::paintOrder() const {
    QList<QPair<qreal, int>> places;
    for (const QQuickItem *item = this; item->parentItem(); item = item->parentItem())
        places.prepend({item->z(), int(item->parentItem()->childItems().indexOf(item))});
    return places;
}

/// A point of a device's output in the coordinates of the window.
QPointF Region::fromOutput(const QVariantMap &line, QPointF point) const {
    const QSizeF output = m_connection->outputSize(line.value(QStringLiteral("device")).toString());
    if (!window() || output.isEmpty()) return {};
    return sceneToOutput().inverted().map(QPointF(point.x() / output.width(), point.y() / output.height()));
}

/// The position of a gesture in the item's coordinates.
QPointF Region::position(const QVariantMap &line) const {
    return mapFromScene(fromOutput(line, {line.value(QStringLiteral("x")).toDouble(), line.value(QStringLiteral("y")).toDouble()}));
}

/// The distance of a drag from its begin, in the coordinates of the item's parent.
QPointF Region::translation(const QVariantMap &line) const {
    if (!parentItem()) return {};
    const QPointF moved(line.value(QStringLiteral("dx")).toDouble(), line.value(QStringLiteral("dy")).toDouble());
    return parentItem()->mapFromScene(fromOutput(line, moved)) - parentItem()->mapFromScene(fromOutput(line, {}));
}

void Region::setPressed(bool isPressed) {
    if (isPressed == m_isPressed) return;
    m_isPressed = isPressed;
    emit pressedChanged();
}

void Region::cancelAll() {
    while (!m_begun.isEmpty()) {
        QVariantMap line = m_begun.first();
        line[QStringLiteral("phase")] = QStringLiteral("cancel");
        line[QStringLiteral("reason")] = QStringLiteral("removed");
        line[QStringLiteral("added")] = true;
        take(line);
    }
}

void Region::take(const QVariantMap &line) {
    const QString kind = line.value(QStringLiteral("gesture")).toString(), phase = line.value(QStringLiteral("phase")).toString();
    const QString name = line.value(QStringLiteral("name")).toString();
    const auto number = [&](const char *key) { return line.value(QLatin1String(key)); };
    const bool goesOn = phase == QLatin1String("begin") || phase == QLatin1String("update");
    if (phase == QLatin1String("begin") || (goesOn && m_begun.contains(name))) m_begun[name] = line;
    // It has been cancelled already.
    else if (!phase.isEmpty() && m_begun.remove(name) == 0) return;

    if (kind == QLatin1String("press")) setPressed(goesOn);
    else if (kind == QLatin1String("tap")) emit tapped(position(line), number("count").toInt());
    else if (kind == QLatin1String("long_press") && phase == QLatin1String("begin")) emit longPressed(position(line));
    else if (kind == QLatin1String("repeat")) emit repeated(number("n").toInt());
    else if (kind == QLatin1String("swipe")) emit swiped(number("direction").toString(), number("velocity_mm_s").toDouble());
    else if (kind == QLatin1String("stroke")) emit strokeDrawn(name, number("score").toDouble());
    else if (kind == QLatin1String("drag")) emit dragged(phase, translation(line));
    else if (kind == QLatin1String("pinch")) emit pinched(phase, number("scale").toDouble());
    else if (kind == QLatin1String("rotate")) emit rotated(phase, number("rotation").toDouble());
    else if (kind == QLatin1String("dial")) emit turned(phase, number("rotation").toDouble(), number("steps").toInt());
    else if (kind == QLatin1String("chain")) emit chainDrawn(name);
    else if (kind == QLatin1String("pattern")) emit patternDrawn();
    emit gesture(line);
}

void Region::warn(const QString &message) const { qmlWarning(this) << id() << ": " << message; }

void Region::warnOfSameName() {
    if (!m_hasWarned) warn(QStringLiteral("another visible item is the region of this name; use another name"));
    m_hasWarned = true;
}
